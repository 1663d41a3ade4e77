package validate

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/internal/kustomization"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// validator validates documents and writes results.
type validator struct {
	Options
	old     oldObjects
	out     results
	input   *input.Input
	printer findings.Printer
	patches kustomization.Index

	validatedCount, rejectedCount int
	versions                      []string // of validated objects, in the order of their first object
}

// recordVersion records the version of a validated object.
func (v *validator) recordVersion(version string) {
	if _, known := api.Find(version); known && !slices.Contains(v.versions, version) {
		v.versions = append(v.versions, version)
	}
}

// noteReleases prints which release validated each version, if the user did not name one.
func (v *validator) noteReleases() {
	if v.Release != "" || len(v.versions) == 0 || v.Quiet || v.Reports.ReplacesText() {
		return
	}
	var by []string
	for _, name := range v.versions {
		version, _ := api.Find(name)
		by = append(by, name+" with the rules of "+version.Release)
	}
	const note = "note: validated %s; --kubernetes-release selects one release for all versions\n"
	fmt.Fprintf(v.printer.W, note, strings.Join(by, ", "))
}

// reportUnreadable reports an input that could not be read as an object.
func (v *validator) reportUnreadable(err error) {
	if e, ok := errors.AsType[*yamldoc.NotObjectError](err); ok && e.IsJSONPatch() {
		err = findings.SkippedPatch(e)
	}
	v.reportError(err)
}

// validateDocument validates a document, or the items of a list. The error is one of writing.
func (v *validator) validateDocument(d *yamldoc.Document) error {
	if !d.IsList() && d.Kind == "" && d.APIVersion == "" && v.holdsObjects(d) {
		err := errors.New("contains objects, like the values of a chart: skipped; validate the rendered chart")
		v.reportError(input.NewHarmlessSkip(&yamldoc.DocumentError{Position: d.Position, Err: err}))
		return nil
	}
	if !d.IsList() && (d.Kind == "" || d.APIVersion == "") {
		v.printer.Report(findings.FromDocumentError(v.input, d, findings.ErrNoType))
		return nil
	}
	for o, err := range v.Groups.Objects(d) {
		switch {
		case err != nil && o.Document != nil:
			v.printer.Report(findings.FromDocumentError(v.input, d, err))
		case err != nil:
			v.reportError(&yamldoc.DocumentError{Position: o.Position, Err: err})
		case !o.IsClaim:
			v.skip(d, o)
		default:
			if err := v.validateObject(d, o.TypedJSON, o.Position); err != nil {
				return err
			}
		}
	}
	return nil
}

// holdsObjects reports whether a document that is not an object contains claims, which convert would convert.
func (v *validator) holdsObjects(d *yamldoc.Document) bool {
	raw, err := d.Object(false)
	return err == nil && v.Groups.HasNestedClaim(raw)
}

// skip reports an object that is not a claim.
func (v *validator) skip(d *yamldoc.Document, o claims.Object) {
	rule, reason, looksLikeClaim := findings.WhyNotConverted(v.Groups, o.APIVersion, o.Kind)
	if !looksLikeClaim && v.Verbose {
		text := fmt.Sprintf("%s: %s of %s: skipped, not a claim", o.Position, cmp.Or(o.Kind, "no kind"),
			cmp.Or(o.APIVersion, "no apiVersion"))
		v.printer.Report(findings.NewNote(text))
	}
	if !looksLikeClaim {
		return
	}
	h, _ := conversion.ReadHeader(o.Object) // an error leaves fields empty
	if o.Object == nil {
		h.Namespace, h.Name = d.Namespace, d.Name
	}
	h.Kind = o.Kind
	severity := rule.Info().Severity
	if severity == findings.Warning {
		reason = "is skipped: " + reason
	}
	v.printer.Report(subjectOf(d, o.Position, h).New(severity, rule, "", reason))
}

// subjectOf returns an object of a document as the subject of findings.
func subjectOf(d *yamldoc.Document, at yamldoc.Position, h conversion.Header) findings.Subject {
	return findings.Subject{Position: at, Header: h, Locate: func(field string) (line, column int) {
		return d.Locate(at.Items, field)
	}}
}

// reportError reports a part of the input that could not be read, or was skipped.
func (v *validator) reportError(err error) { v.printer.Report(findings.FromError(v.input, err)) }
