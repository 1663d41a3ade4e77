package preserve

import (
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/internal/conversion/hub"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// Restored is the v1 claim of a copy.
type Restored struct {
	Claim *hub.V1
	// Texts has the parts that are preserved verbatim. It is nil for other parts.
	Texts Texts
	// HasSpec is set if the spec is the preserved one.
	HasSpec bool
	// HasStatus is set if the status is the preserved one, with the edits of the client.
	HasStatus bool
}

// Restore returns the v1 claim of a copy. If a part of the copy is equal to the projection of the preserved part, the
// client did not edit it, and the v1 claim has the preserved part. Otherwise the spec is converted from the copy, and
// the edits of the status are merged into the preserved status. Restore adds the data that it does not use to
// extracted.Ignored.
func Restore(
	o *Object, lossy hub.LossyClaim, version string, extracted *Extracted, options hub.Options,
) (*Restored, error) {
	preserved := extracted.decode(o)
	projected, err := hub.FromV1(preserved, version, options)
	if err != nil {
		return nil, err
	}
	c := comparison{before: projected.(hub.LossyClaim), after: lossy, isManifest: options.Manifest}
	if extracted.Spec != nil && !c.isSame(specOf) {
		extracted.ignore(o.annotationPath(Spec),
			"the spec was edited: it differs from the preserved spec in this version")
		extracted.Spec = nil
	}
	request := ""
	if extracted.Spec != nil {
		request = firstRequest(preserved.Spec)
	}
	claim, err := lossy.ToV1For(request, options)
	if err != nil {
		return nil, err
	}
	r := &Restored{Claim: claim, HasSpec: extracted.Spec != nil, HasStatus: extracted.Status != nil}
	if r.HasSpec {
		r.Texts.Spec = extracted.Spec
		// An API server sets defaults before it stores a spec, but a client can write any spec into the annotation.
		claim.Spec = hub.WithSpecDefaults(preserved.Spec, options)
		if claim.Spec != preserved.Spec {
			r.Texts.Spec = nil
		}
	}
	if !r.HasStatus {
		return r, nil
	}
	statusAfter := claim.Status
	claim.Status = preserved.Status
	r.Texts.Status = extracted.Status
	if c.isSame(statusOf) {
		return r, nil
	}
	before, err := c.before.ToV1For(request, options)
	if err != nil {
		return nil, err
	}
	edits := statusEdits{before: before.Status, after: statusAfter, isManifest: options.Manifest}
	if edits.isEmpty() {
		return r, nil
	}
	claim.Status = edits.mergeInto(preserved.Status)
	r.Texts.Status = nil
	return r, nil
}

// decode returns the preserved parts. A part that cannot be decoded, or has unknown fields, is ignored. A status that
// claimbridge wrote into the field may have unknown fields: they are dropped.
func (e *Extracted) decode(o *Object) *hub.V1 {
	preserved := &hub.V1{}
	if e.Spec != nil {
		preserved.Spec = &v1.ResourceClaimSpec{}
		unknown, err := objectjson.Decode(e.Spec, preserved.Spec)
		if err != nil || len(unknown) > 0 {
			e.ignoreMalformed(o, Spec)
			e.Spec = nil
			preserved.Spec = nil
		}
	}
	if e.Status != nil {
		preserved.Status = &v1.ResourceClaimStatus{}
		unknown, err := objectjson.Decode(e.Status, preserved.Status)
		switch {
		case err != nil || len(unknown) > 0 && !e.statusInField:
			e.ignoreMalformed(o, Status)
			e.Status = nil
			preserved.Status = nil
		case len(unknown) > 0:
			e.Status = objectjson.Marshal(preserved.Status)
		}
	}
	return preserved
}

// comparison compares the claim that a client read, which is the preserved claim in the version of the client, with the
// claim that it wrote.
type comparison struct {
	before, after hub.LossyClaim
	isManifest    bool
}

// isSame reports whether a part of the claim is unedited. The function returns the part, the spec or the status, of a
// claim. A manifest may lack defaults that an API server set.
func (c comparison) isSame(part func(hub.Claim) any) bool {
	before, after := part(c.before), part(c.after)
	if before == nil || after == nil {
		return false
	}
	return equalValues(before, after, c.isManifest) ||
		equalValues(part(c.before.WithDefaults()), part(c.after.WithDefaults()), c.isManifest)
}

func specOf(claim hub.Claim) any {
	spec, _ := claim.SpecAndStatus()
	return spec
}

func statusOf(claim hub.Claim) any {
	_, status := claim.SpecAndStatus()
	return status
}
