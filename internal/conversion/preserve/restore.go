package preserve

import (
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/internal/conversion/hub"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// Restored is the v1 claim of a copy.
type Restored struct {
	Claim *hub.V1
	// Texts has the text of each preserved part that is restored verbatim: without edits, and without added defaults.
	Texts Texts
	// HasSpec is set if the spec is the preserved one.
	HasSpec bool
	// HasStatus is set if the status is the preserved one, with the edits of the client.
	HasStatus bool
	// Ignored is preserved data that is not used. It is set even if Restore returns an error.
	Ignored []Ignored
}

// Restore returns the v1 claim of a copy. If a part of the copy is equal to the projection of the preserved part, the
// client did not edit it, and the v1 claim has the preserved part. Otherwise the spec is converted from the copy, and
// the edits of the status are merged into the preserved status.
func Restore(
	o *Object, lossy hub.LossyClaim, version string, extracted *Extracted, options hub.Options,
) (r Restored, err error) {
	preserved, texts, ignored := extracted.decode(o)
	r.Ignored = ignored
	projected, err := hub.FromV1(preserved, version, options)
	if err != nil {
		return r, err
	}
	c := comparison{before: projected.(hub.LossyClaim), after: lossy, isManifest: options.Manifest}
	request := ""
	if preserved.Spec != nil {
		r.HasSpec = c.isUnedited(specOf)
		if r.HasSpec {
			request = firstRequest(preserved.Spec)
		} else {
			r.Ignored = append(r.Ignored, Ignored{
				Field:  o.annotationPath(Spec),
				Reason: "the spec was edited: it differs from the preserved spec in this version",
			})
		}
	}
	r.Claim, err = lossy.ToV1For(request, options)
	if err != nil {
		return r, err
	}
	if r.HasSpec {
		// An API server sets defaults before it stores a spec, but a client can write any spec into the annotation.
		if !hub.LacksSpecDefaults(preserved.Spec, options) {
			r.Texts.Spec = texts.Spec
		}
		r.Claim.Spec = hub.WithSpecDefaults(preserved.Spec, options)
	}
	if preserved.Status == nil {
		return r, nil
	}
	r.HasStatus = true
	edits, err := c.findStatusEdits(r.Claim.Status, request, options)
	if err != nil {
		return r, err
	}
	if edits.isEmpty() {
		r.Texts.Status = texts.Status
		r.Claim.Status = preserved.Status
	} else {
		r.Claim.Status = edits.mergeInto(preserved.Status)
	}
	return r, nil
}

// decode returns the preserved parts and their texts. A part that cannot be decoded, or has unknown fields, is ignored.
// A later release of claimbridge may have written the status in the field. So its unknown fields are dropped, and the
// rest is used.
func (e *Extracted) decode(o *Object) (preserved *hub.V1, texts Texts, ignored []Ignored) {
	preserved = &hub.V1{}
	if e.Spec != nil {
		spec := &v1.ResourceClaimSpec{}
		unknown, err := objectjson.Decode(e.Spec, spec)
		if err != nil || len(unknown) > 0 {
			ignored = append(ignored, o.malformed(Spec))
		} else {
			preserved.Spec = spec
			texts.Spec = e.Spec
		}
	}
	if e.Status != nil {
		status := &v1.ResourceClaimStatus{}
		unknown, err := objectjson.Decode(e.Status, status)
		switch {
		case err != nil || len(unknown) > 0 && !e.statusInField:
			ignored = append(ignored, o.malformed(Status))
		case len(unknown) > 0:
			preserved.Status = status
			texts.Status = objectjson.Marshal(status)
		default:
			preserved.Status = status
			texts.Status = e.Status
		}
	}
	return preserved, texts, ignored
}

// comparison compares the claim that a client read, which is the preserved claim in the version of the client, with the
// claim that it wrote.
type comparison struct {
	before, after hub.LossyClaim
	isManifest    bool
}

// isUnedited reports whether the client did not edit a part: the spec or the status, as [specOf] or [statusOf] returns
// it. A manifest may lack defaults that an API server set.
func (c comparison) isUnedited(partOf func(hub.Claim) any) bool {
	before, after := partOf(c.before), partOf(c.after)
	if before == nil || after == nil {
		return false
	}
	return equalValues(before, after, c.isManifest) ||
		equalValues(partOf(c.before.WithDefaults()), partOf(c.after.WithDefaults()), c.isManifest)
}

// findStatusEdits returns the edits of the status. The status after the edits was already converted to v1, with an
// allocation for the named request.
func (c comparison) findStatusEdits(
	after *v1.ResourceClaimStatus, request string, options hub.Options,
) (statusEdits, error) {
	if c.isUnedited(statusOf) {
		return statusEdits{}, nil
	}
	before, err := c.before.ToV1For(request, options)
	if err != nil {
		return statusEdits{}, err
	}
	return statusEdits{before: before.Status, after: after, isManifest: c.isManifest}, nil
}

func specOf(claim hub.Claim) any {
	spec, _ := claim.SpecAndStatus()
	return spec
}

func statusOf(claim hub.Claim) any {
	_, status := claim.SpecAndStatus()
	return status
}
