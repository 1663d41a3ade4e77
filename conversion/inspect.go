package conversion

import (
	"errors"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	v1alpha3step "github.com/claimbridge/claimbridge/conversion/internal/v1alpha3"
)

// Finding is something wrong with a leftover on an object as a client sent it: the path of the
// Field, which is an annotation, a label, a field or a configuration entry, and the Problem in
// words, without values.
type Finding = leftover.Finding

// Inspect checks what travels beside an object as it was sent, and entries of claimbridge in it: each is
// in its place and well-formed, and a spec is shown as the one that is there. A status of another
// claim is no finding: the claim was restored, or made from a copy. Whether an incomplete copy may
// be written is JSON's to say. Who converts the object as well sets Options.Inspect instead.
//
// An error is an *Error, for an object that cannot be read.
func Inspect(object []byte) ([]Finding, error) {
	_, report, err := JSON(object, Stored(), Options{Inspect: true})
	if err != nil && !errors.Is(err, ErrIncomplete) {
		return nil, err
	}
	return report.Findings, nil
}

// inspect says what is wrong with the leftovers of an object that was converted to the stored
// version, or that has it. A spec that travelled is of the stored version, whichever version
// brought it.
func (w *workspace) inspect(c chain.Claim, from int, specTravelled bool) []Finding {
	obj, travelling := &w.object, &w.leftovers
	var findings []Finding
	if from == stored {
		if _, ok := travelling.Meta.Labels.Get(leftover.LabelIncomplete); ok {
			findings = append(findings, Finding{
				Field:   travelling.Path + "labels[" + leftover.LabelIncomplete + "]",
				Problem: "only copies in older versions carry this label; remove it",
			})
		}
		travelling.Sweep()
	}
	if hasEntries(c) {
		if specTravelled {
			findings = append(findings, links.Inspect(chain.Claim{Form: c.Form, Spec: c.Spec}, stored)...)
			c.Spec = nil
		}
		findings = append(findings, links.Inspect(c, from)...)
	}
	for _, i := range travelling.Ignored {
		if !i.Beaten() {
			findings = append(findings, Finding{Field: i.Field, Problem: i.Why})
		}
	}
	if obj.Kind == api.KindTemplate {
		for i := range findings {
			findings[i].Field = templatePath(findings[i].Field)
		}
		findings = append(findings, obj.inspectTemplate()...)
	}
	return findings
}

// hasEntries reports whether a claim of the stored version has configuration that says to be of
// claimbridge: steps find nothing wrong with other entries, so that they need not be walked to.
func hasEntries(c chain.Claim) bool {
	ours := func(o *v1.OpaqueDeviceConfiguration) bool { return v1alpha3step.EntryKind(o) != "" }
	if s, _ := c.Spec.(*v1.ResourceClaimSpec); s != nil &&
		slices.ContainsFunc(s.Devices.Config, func(e v1.DeviceClaimConfiguration) bool {
			return ours(e.Opaque)
		}) {
		return true
	}
	s, _ := c.Status.(*v1.ResourceClaimStatus)
	return s != nil && s.Allocation != nil &&
		slices.ContainsFunc(s.Allocation.Devices.Config, func(e v1.DeviceAllocationConfiguration) bool {
			return ours(e.Opaque)
		})
}

// templatePath puts the path of a claim's field into a template.
func templatePath(field string) string {
	if strings.HasPrefix(field, "spec.devices") {
		return "spec." + field
	}
	return field
}

// inspectTemplate finds keys in a template's own metadata, where no step looks.
func (obj *object) inspectTemplate() (findings []Finding) {
	for _, p := range obj.Metadata.Annotations.Pairs {
		if leftover.IsKey(p.Name) {
			findings = append(findings, Finding{
				Field:   "metadata.annotations[" + p.Name + "]",
				Problem: "the leftover of a template belongs into spec.metadata.annotations",
			})
		}
	}
	return findings
}
