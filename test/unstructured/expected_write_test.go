package unstructured

import (
	"encoding/json"
	"reflect"

	resourcev1 "k8s.io/api/resource/v1"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/conversion/hub"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// statusShape is the shape of a status whose allocation changes as a whole.
var statusShape = valueShapeOf(reflect.TypeFor[resourcev1.ResourceClaimStatus]()).withWholeField("allocation")

// expectedWrite returns the expected stored object after a write of a part. If the written part equals the projected
// one, the part is unchanged. Otherwise a spec is replaced, and the visible data of a status changes.
func (p *writeCase) expectedWrite(part string, object []byte) ([]byte, error) {
	edited := p.tree(object)
	live := p.tree(p.live)
	projection := p.tree(p.do("read", p.read, p.live))
	for _, other := range []string{"spec", "status"} {
		if other != part && projection[other] != nil {
			edited[other] = projection[other]
		}
	}
	projectedV1, err := p.toV1(encode(p.propertyCase, projection))
	if err != nil {
		return nil, err
	}
	writtenV1, err := p.toV1(encode(p.propertyCase, edited))
	if err != nil {
		return nil, err
	}
	text := func(o []byte) []byte {
		value := memberOf(o, part)
		if value == nil {
			return []byte("{}")
		}
		return value
	}
	if part == "spec" {
		if !isSameText(text(projectedV1), text(writtenV1)) {
			live[part] = json.RawMessage(text(writtenV1))
		}
		return encode(p.propertyCase, live), nil
	}
	if !isSame(statusShape, text(projectedV1), text(writtenV1)) {
		live[part] = json.RawMessage(mergeText(nil, statusShape, text(p.live), text(projectedV1), text(writtenV1)))
	}
	return encode(p.propertyCase, live), nil
}

// memberOf returns the value of a member, or nil.
func memberOf(object []byte, name string) []byte {
	list := objectjson.ListMembers(object)
	return list.Get(name)
}

// toV1 converts an object of the version to v1 without preserved data. In a version whose allocations name no request,
// the allocation is assigned to the first request of the stored claim.
func (p *writeCase) toV1(object []byte) ([]byte, error) {
	if !isProjection(p.version) {
		return p.write(object)
	}
	requests := objectjson.Items(memberOf(memberOf(memberOf(p.live, "spec"), "devices"), "requests"))
	o := hub.Options{Manifest: true}
	if len(requests) == 0 {
		return convertVisible(object, p.kind, p.version, conversion.Stored(), o)
	}
	claim, _, err := hub.Read(p.version, memberOf(object, "spec"), memberOf(object, "status"))
	if err != nil {
		return nil, err
	}
	request := objectjson.StringOf(memberOf(requests[0], "name"))
	v1Claim, err := claim.(hub.LossyClaim).ToV1For(request, o)
	if err != nil {
		return nil, err
	}
	parts := map[string]any{"spec": v1Claim.Spec}
	if v1Claim.Status != nil {
		parts["status"] = v1Claim.Status
	}
	return objectjson.Marshal(parts), nil
}
