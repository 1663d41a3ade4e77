package migrate

import (
	"errors"
	"strings"

	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// ConvertInStream converts a document of a stream, which may not be parsed yet.
func (c *Converter) ConvertInStream(d *yamldoc.Document) Result {
	isText := !d.IsJSON() && c.KeepText
	if d.IsComment {
		if isText {
			return Result{Text: d.Text}
		}
		return Result{}
	}
	if err := d.Parse(); err != nil {
		return c.ResultForUnreadable(err)
	}
	if reason := c.reasonToLeaveOut(d); reason != nil {
		var r Result
		r.report(findings.FromError(c.Input, reason))
		return r
	}
	r := c.convertDocument(d)
	switch {
	case r.Failed:
	case isText && !r.Changed:
		r.Text = d.Text // the text is unchanged, including its comments
	case isText:
		c.editInStream(d, &r)
	}
	return r
}

// ResultForUnreadable returns the result of a part of a stream that could not be read as an object. A JSON patch is not
// an object, but its paths are checked for fields that moved.
func (c *Converter) ResultForUnreadable(err error) (r Result) {
	if notObject := asNotObject(err); notObject != nil {
		if patch, isPatch := c.convertJSONPatchFile(notObject); isPatch {
			r.Include(&patch)
			err = findings.SkippedPatch(notObject)
		}
	}
	r.report(findings.FromError(c.Input, err))
	return r
}

var (
	errKustomization = errors.New("is a kustomization, not an object of a cluster: left out of the output; " +
		"convert --write converts it in place")
	errPatchFile = errors.New("is a patch of a kustomization, not a complete object: left out of the output; " +
		"convert --write converts it in place")
)

// reasonToLeaveOut returns why a document is left out of the output, or nil. Kustomizations and their patches are left
// out, because no API server accepts them, and the paths in a kustomization mean nothing in a stream. They are only
// converted if they are standard input or a file that the command line names.
func (c *Converter) reasonToLeaveOut(d *yamldoc.Document) error {
	if d.File == input.StandardInput || c.Input.IsNamed(d.File) {
		return nil
	}
	skipped := func(reason error) error {
		return input.NewHarmlessSkip(&yamldoc.DocumentError{Position: d.Position, Err: reason})
	}
	switch {
	case strings.HasPrefix(d.APIVersion, yamldoc.KustomizeGroup+"/"):
		return skipped(errKustomization)
	case c.kustomizations.IsPatch(d.File):
		return skipped(errPatchFile)
	}
	return nil
}
