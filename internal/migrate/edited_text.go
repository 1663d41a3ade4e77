package migrate

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/internal/yamledit"
)

// editInStream sets the text of a document of a stream that changed. If the text cannot be edited, the converted object
// is generated again.
func (c *Converter) editInStream(d *yamldoc.Document, r *Result) {
	text, err := c.editedText(d, r)
	if err == nil {
		r.Text = text
		return
	}
	if yamledit.HasComments(d) {
		r.report(notInPlace(d, findings.Warning, "is generated again without its comments, because it ", err))
	}
}

// editInFile sets the text of a document in its file, if it changed. If the text cannot be edited, that is an error.
func (c *Converter) editInFile(d *yamldoc.Document, r *Result) {
	if r.Failed || !r.Changed {
		return
	}
	text, err := c.textInFile(d, r)
	if err != nil {
		r.fail(notInPlace(d, findings.Error, "", err))
		r.Changed = false
		return
	}
	r.Text = text
}

// notInPlace returns the finding about a text that cannot be edited, at the line of the error. The message is the error
// after a prefix.
func notInPlace(d *yamldoc.Document, severity findings.Severity, prefix string, err error) findings.Finding {
	subject := findings.Subject{Position: d.Position, Header: findings.HeaderOf(d)}
	f := subject.New(severity, findings.CannotBeEdited, "", prefix+err.Error())
	if e, ok := errors.AsType[*yamledit.NotInPlaceError](err); ok {
		f = f.WithLine(e.Line)
	}
	return f
}

// editedText returns the text of a document, YAML or JSON in its file, edited so that it is equivalent to the object of
// the result. The error is a *yamledit.NotInPlaceError.
func (c *Converter) editedText(d *yamldoc.Document, r *Result) ([]byte, error) {
	if r.duplicate != nil {
		line := yamldoc.LocationOf(r.duplicate).Line
		return nil, &yamledit.NotInPlaceError{
			Reason: strings.TrimPrefix(r.duplicate.Error(), fmt.Sprintf("line %d: ", line)),
			Line:   line,
		}
	}
	edited, err := editText(d, r.Object)
	if err == nil && len(edited.Stranded) > 0 && r.reportsStrandedComments {
		r.report(c.strandedComments(d, edited.Stranded))
	}
	return edited.Text, err
}

// strandedComments returns the warning about comments of fields that the version does not have.
func (c *Converter) strandedComments(d *yamldoc.Document, lines []int) findings.Finding {
	more := ""
	if n := len(lines) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	subject := findings.Subject{Position: d.Position, Header: findings.HeaderOf(d)}
	return subject.New(findings.Warning, findings.StrandedComment, "", fmt.Sprintf(
		"line %d%s: this comment is kept on a separate line: %s does not have the field that it describes, or the field "+
			"was in brackets",
		lines[0], more, c.version)).
		WithLine(lines[0])
}

// textInFile returns the edited text of a document in its file.
func (c *Converter) textInFile(d *yamldoc.Document, r *Result) ([]byte, error) {
	text, err := c.editedText(d, r)
	if err != nil {
		return nil, fmt.Errorf("%w; change it by hand", err)
	}
	if d.IsJSON() {
		return text, nil
	}
	source, _, _ := d.Source()
	return matchLineEnd(source, text), nil
}

// matchLineEnd removes the line end at the end of an edited text if its source has none.
func matchLineEnd(source, text []byte) []byte {
	if bytes.HasSuffix(source, []byte("\n")) {
		return text
	}
	return bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
}
