package validate

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/kustomization"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/conversion"
)

// validator judges documents and writes verdicts.
type validator struct {
	Options
	old     oldObjects
	out     verdicts
	log     problems.Log
	patches kustomization.Patches

	judged, refused int
}

// unreadable is what could not be read as an object.
func (v *validator) unreadable(err error) {
	if e, ok := errors.AsType[*manifest.NotObjectError](err); ok && e.IsJSONPatch() {
		err = problems.SkippedPatch(e)
	}
	v.log.Error(err)
}

// document judges a document, or the items of a list. The error is one of writing.
func (v *validator) document(d *manifest.Document) error {
	v.log.Locate, v.out.locate = d.Locate, d.Locate
	if !d.IsList() && (d.Kind == "" || d.APIVersion == "") {
		v.log.Document(d, problems.ErrNoType)
		return nil
	}
	for o, err := range v.Groups.In(d) {
		switch {
		case err != nil && o.Document != nil:
			v.log.Document(d, err)
		case err != nil:
			v.log.Error(&manifest.DocumentError{Position: o.Position, Err: err})
		case !o.IsClaim:
			v.skip(o)
		default:
			if err := v.object(o.Whole, o.Position); err != nil {
				return err
			}
		}
	}
	return nil
}

func (v *validator) skip(o claims.Object) {
	if rule, why, passed := problems.PassedOver(v.Groups, o.APIVersion, o.Kind); passed {
		h, _ := conversion.ReadHeader(o.Object) // what it does not say is left out
		if d := o.Document; o.Object == nil {
			h.Namespace, h.Name = d.Namespace, d.Name
		}
		h.Kind = o.Kind
		if rule.About().Severity == finding.Error {
			v.log.Refuse(o.Position, h, []problems.What{{Rule: rule, Text: why}})
			return
		}
		v.log.Advise(o.Position, h, problems.What{Rule: rule, Text: "is skipped: " + why})
	} else if v.Verbose {
		text := fmt.Sprintf("%s: %s of %s: skipped, not a claim", o.Position, cmp.Or(o.Kind, "no kind"), cmp.Or(o.APIVersion, "no apiVersion"))
		fmt.Fprintln(v.log.W, finding.Printable(text))
	}
}
