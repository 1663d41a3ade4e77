package conversion

import (
	"errors"
	"fmt"
	"strings"

	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

// Finding is something wrong with a leftover on an object as a client sent it.
type Finding struct {
	// Field is the path of the annotation, label, field or configuration entry.
	Field string
	// Problem in words, without values.
	Problem string
}

// Inspect checks the leftovers of an object as it was sent: each is in its place, well-formed, and consumed by a step
// on the way to the newest version; a spec part completes the spec that is there. A status part that completes another
// allocation is no finding: it is stale, an edit beat it. Whether an incomplete copy may be written is JSON's to say.
// Who converts the object as well sets Options.Inspect instead.
//
// An error is an *Error, for an object that cannot be read.
func Inspect(object []byte) ([]Finding, error) {
	_, report, err := JSON(object, Newest(), Options{Inspect: true})
	if err != nil && !errors.Is(err, ErrIncomplete) {
		return nil, err
	}
	return report.Findings, nil
}

// inspect says what is wrong with the leftovers of an object that was converted to the newest version, or that has it.
func (w *workspace) inspect(c any, from int) []Finding {
	obj, carried := &w.object, &w.carriage
	var findings []Finding
	if from == len(versions)-1 {
		if _, ok := carried.meta.Labels.Get(labelIncomplete); ok {
			findings = append(findings, Finding{carried.path + "labels[" + labelIncomplete + "]",
				"only copies in older versions carry this label; remove it"})
		}
		carried.sweep()
		findings = append(findings, inspectEntries(c.(*claimV1alpha3))...)
	}
	for _, i := range carried.ignored {
		if i.kind == specPart || !i.stale {
			findings = append(findings, Finding{i.field, i.why})
		}
	}
	if obj.Kind == kindTemplate {
		for i := range findings {
			findings[i].Field = templatePath(findings[i].Field)
		}
		findings = append(findings, obj.inspectTemplate()...)
	}
	return findings
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
		if isKey(p.Name) {
			findings = append(findings, Finding{"metadata.annotations[" + p.Name + "]",
				"the leftover of a template belongs into spec.metadata.annotations"})
		}
	}
	return findings
}

// inspectEntries finds configuration entries of ours that are malformed or out of place.
func inspectEntries(c *claimV1alpha3) (findings []Finding) {
	find := func(path string, i int, kind, problem string) {
		findings = append(findings, Finding{
			fmt.Sprintf("%s[%d].opaque.parameters", path, i), fmt.Sprintf("%s %s %s", entryAPIVersion, kind, problem),
		})
	}
	if c.Spec != nil {
		const path = "spec.devices.config"
		_, good := findClassicSpec(c.room, c.Spec.Devices.Config, c.Complete)
		for i, entry := range c.Spec.Devices.Config {
			switch kind := entryKind(entry.Opaque); kind {
			case kindClassicAllocation, kindResourceHandle:
				find(path, i, kind, "belongs into status.allocation")
			case kindClassicSpec:
				if i != good {
					find(path, i, kind, "is malformed, there twice, or not for driver "+domain+" and all requests")
				}
			}
		}
	}
	if c.Status == nil || c.Status.Allocation == nil {
		return findings
	}
	const path = "status.allocation.devices.config"
	for i, entry := range c.Status.Allocation.Devices.Config {
		switch kind := entryKind(entry.Opaque); kind {
		case kindClassicSpec: // as FromClaim it is the allocator's copy of an entry of the spec
			if entry.Source == v1alpha3.AllocationConfigSourceClass {
				find(path, i, kind, "belongs into spec")
			}
		case kindResourceHandle:
			if _, ok := asResourceHandle(c.room, entry); !ok {
				find(path, i, kind, "is malformed, or not FromClass for driver "+domain+" and all requests")
			}
		case kindClassicAllocation:
			if !readEntry(c.room, entry.Opaque, &classicAllocation{}) || !isClassicAllocation(entry) {
				find(path, i, kind, "is malformed, or not FromClass for driver "+domain+" and all requests")
			}
		}
	}
	return findings
}
