package migrate

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamledit"
)

// edited writes the text of a document with what the conversion changes, as its author writes; or
// the converted object again, where the text cannot be edited.
func (p *part) edited(d *yamldoc.Document, w wanted) error {
	text, err := p.spliced(d, w)
	if err == nil {
		return p.out.Text(text)
	}
	if yamledit.HasComments(d) {
		p.log.Warn(d.Position, problems.HeaderOf(d),
			notInPlace("is generated again without its comments, because it ", err))
	}
	return p.out.Object(w.object)
}

// notInPlace says why a text cannot be edited, and where.
func notInPlace(before string, err error) problems.What {
	what := problems.What{Rule: finding.CannotBeEdited, Text: before + err.Error()}
	if e, ok := errors.AsType[*yamledit.NotInPlaceError](err); ok {
		what.Line = e.Line
	}
	return what
}

// spliced is the text of a document, YAML or JSON in its file, with what is wanted. The error is a
// *yamledit.NotInPlaceError.
func (p *part) spliced(d *yamldoc.Document, w wanted) ([]byte, error) {
	if w.twice != nil {
		line := yamldoc.PlaceOf(w.twice).Line
		return nil, &yamledit.NotInPlaceError{
			Reason: strings.TrimPrefix(w.twice.Error(), fmt.Sprintf("line %d: ", line)),
			Line:   line,
		}
	}
	if d.Text == nil {
		source, _, _ := d.Source()
		result, err := yamledit.Edit(source, w.object)
		return result.Text, err
	}
	result, err := yamledit.Document(d, w.object)
	// Of objects of other kinds what a comment stood at is written in its place.
	n := len(result.Stranded)
	if err == nil && n > 0 && w.was != nil && !d.IsList() && !p.log.Enough(finding.StrandedComment) {
		others := ""
		if n > 1 {
			others = fmt.Sprintf(" (and %d more)", n-1)
		}
		p.log.Advise(d.Position, problems.HeaderOf(d), problems.What{
			Rule: finding.StrandedComment, Line: result.Stranded[0],
			Text: fmt.Sprintf("line %d%s: a comment stood at what %s has no place for, and stays where that was",
				result.Stranded[0], others, p.to),
		})
	}
	return result.Text, err
}

// replaced returns the text of a document in its file, edited so that it says what is wanted.
func (p *part) replaced(d *yamldoc.Document, w wanted) ([]byte, error) {
	text, err := p.spliced(d, w)
	if err != nil {
		return nil, fmt.Errorf("%w; change it by hand", err)
	}
	if d.Text == nil {
		return text, nil
	}
	source, _, _ := d.Source()
	return likeEnd(source, text), nil
}

// likeEnd leaves out the line end that a text got, where its source has none.
func likeEnd(source, text []byte) []byte {
	if bytes.HasSuffix(source, []byte("\n")) {
		return text
	}
	return bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
}
