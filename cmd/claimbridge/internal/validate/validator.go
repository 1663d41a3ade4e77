package validate

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/kustomization"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/internal/conversion"
)

// validator validates documents and writes results.
type validator struct {
	Options
	old     oldObjects
	out     results
	log     problems.Log
	patches kustomization.Patches

	validated, refused int
	versions           []string // of objects that are validated, in the order of their first object
}

// note the version of an object that is validated.
func (v *validator) note(version string) {
	if _, known := api.Find(version); known && !slices.Contains(v.versions, version) {
		v.versions = append(v.versions, version)
	}
}

// noteReleases says which release each version was validated by, if no release was asked for.
func (v *validator) noteReleases() {
	if v.Release != "" || len(v.versions) == 0 || v.Reports.Quiet() {
		return
	}
	var by []string
	for _, name := range v.versions {
		version, _ := api.Find(name)
		by = append(by, name+" by that of "+version.Release)
	}
	const note = "note: each version is validated by a release of its own, %s; --kubernetes-release names one for all\n"
	fmt.Fprintf(v.log.W, note, strings.Join(by, ", "))
}

// unreadable is what could not be read as an object.
func (v *validator) unreadable(err error) {
	if e, ok := errors.AsType[*yamldoc.NotObjectError](err); ok && e.IsJSONPatch() {
		err = problems.SkippedPatch(e)
	}
	v.log.Error(err)
}

// document validates a document, or the items of a list. The error is one of writing.
func (v *validator) document(d *yamldoc.Document) error {
	v.log.Locate, v.out.locate = d.Locate, d.Locate
	if !d.IsList() && d.Kind == "" && d.APIVersion == "" && v.holdsObjects(d) {
		err := errors.New("holds objects, as values of a chart do, skipped; validate what is rendered")
		v.log.Error(input.Skipped(&yamldoc.DocumentError{Position: d.Position, Err: err}))
		return nil
	}
	if !d.IsList() && (d.Kind == "" || d.APIVersion == "") {
		v.log.Document(d, problems.ErrNoType)
		return nil
	}
	for o, err := range v.Groups.In(d) {
		switch {
		case err != nil && o.Document != nil:
			v.log.Document(d, err)
		case err != nil:
			v.log.Error(&yamldoc.DocumentError{Position: o.Position, Err: err})
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

// holdsObjects reports whether a document that is no object has claims in it, which convert converts there.
func (v *validator) holdsObjects(d *yamldoc.Document) bool {
	raw, err := d.Object(false)
	return err == nil && v.Groups.AreIn(raw)
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
		text := fmt.Sprintf("%s: %s of %s: skipped, not a claim", o.Position, cmp.Or(o.Kind, "no kind"),
			cmp.Or(o.APIVersion, "no apiVersion"))
		fmt.Fprintln(v.log.W, finding.Printable(text))
	}
}
