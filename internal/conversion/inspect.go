package conversion

import (
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion/hub"
	"github.com/claimbridge/claimbridge/internal/conversion/preserve"
)

// Finding is a problem with preserved data in an object that a client sent: the path of the Field, which is an
// annotation, a label, a field or a configuration entry, and the Problem, without values.
type Finding = hub.Finding

// findings returns the problems of the preserved data and of the entries of an object. The claim is in v1. The ignored
// data was found in the conversion to v1, unless the object already has that version.
func (obj *object) findings(claim hub.Claim, report *Report, ignored []preserve.Ignored) (findings []Finding) {
	if obj.Version == storedVersion {
		preserved := obj.preservationTarget(Options{})
		if _, found := preserved.Metadata.Labels.Get(preserve.IncompleteLabel); found {
			findings = append(findings, Finding{
				Field:   preserved.Path + "labels[" + preserve.IncompleteLabel + "]",
				Problem: "only copies in older versions carry this label; remove it",
			})
		}
		findings = append(findings, findingsOf(preserve.FindAnnotations(preserved))...)
	}
	inV1, _ := claim.(*hub.V1)
	if inV1 != nil {
		findings = append(findings, obj.invalidEntries(inV1, report)...)
	}
	findings = append(findings, findingsOf(ignored)...)
	if obj.Kind == api.KindTemplate {
		for i := range findings {
			findings[i].Field = templatePath(findings[i].Field)
		}
		findings = append(findings, obj.misplacedAnnotations()...)
	}
	return findings
}

// invalidEntries returns findings for the entries in the v1 form of an object. v1alpha1 and v1alpha2 have no
// configuration: only a restored part of such an object can have entries that the conversion did not write.
func (obj *object) invalidEntries(inV1 *hub.V1, report *Report) (findings []Finding) {
	hasConfig := api.HasDevices(obj.Version)
	o := obj.hubOptions(Options{})
	if report.RestoredSpec { // a spec of v1
		findings = hub.FindInvalidEntries(&hub.V1{Spec: inV1.Spec}, storedVersion, o)
	}
	checked := &hub.V1{}
	if hasConfig && !report.RestoredSpec {
		checked.Spec = inV1.Spec
	}
	if hasConfig || report.RestoredStatus {
		checked.Status = inV1.Status
	}
	return append(findings, hub.FindInvalidEntries(checked, obj.Version, o)...)
}

// findingsOf returns a finding for ignored data that is not stale.
func findingsOf(ignored []preserve.Ignored) (findings []Finding) {
	for _, data := range ignored {
		if !data.IsStale {
			findings = append(findings, Finding{Field: data.Field, Problem: data.Reason})
		}
	}
	return findings
}

// templatePath returns the path in a template of a field of its claim.
func templatePath(field string) string {
	if strings.HasPrefix(field, "spec.devices") {
		return "spec." + field
	}
	return field
}

// misplacedAnnotations returns findings for preserved data in a template's own metadata, where it is not used.
func (obj *object) misplacedAnnotations() (findings []Finding) {
	for _, p := range obj.Metadata.Annotations.Pairs {
		if preserve.IsAnnotation(p.Name) {
			findings = append(findings, Finding{
				Field:   "metadata.annotations[" + p.Name + "]",
				Problem: "preserved data of a template belongs in spec.metadata.annotations",
			})
		}
	}
	return findings
}
