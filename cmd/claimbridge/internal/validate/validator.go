package validate

import (
	"cmp"
	"errors"
	"fmt"

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
		return v.broken(d, d.Position, problems.ErrNoType)
	}
	return (&walk{groups: v.Groups, claim: v.object, other: v.skip, broken: v.broken}).document(d)
}

// broken is printed, and the rest goes on.
func (v *validator) broken(d *manifest.Document, at manifest.Position, err error) error {
	if d != nil {
		v.log.Document(d, err)
	} else {
		v.log.Error(&manifest.DocumentError{Position: at, Err: err})
	}
	return nil
}

func (v *validator) skip(at manifest.Position, apiVersion, kind string, h conversion.Header) error {
	if rule, why, passed := problems.PassedOver(v.Groups, apiVersion, kind); passed {
		h.Kind = kind
		if rule.About().Severity == finding.Error {
			v.log.Refuse(at, h, []problems.What{{Rule: rule, Text: why}})
			return nil
		}
		v.log.Advise(at, h, problems.What{Rule: rule, Text: "is skipped: " + why})
	} else if v.Verbose {
		text := fmt.Sprintf("%s: %s of %s: skipped, not a claim", at, cmp.Or(kind, "no kind"), cmp.Or(apiVersion, "no apiVersion"))
		fmt.Fprintln(v.log.W, finding.Printable(text))
	}
	return nil
}
