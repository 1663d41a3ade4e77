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
var statusShape = ShapeOf(reflect.TypeFor[resourcev1.ResourceClaimStatus]()).Whole("allocation")

// put returns the expected result of a write of a part, computed with the live object. If the written part equals the
// visible one, the part stays the same. Otherwise a spec is replaced, and the visible data of a status changes.
func (p *promise) put(part string, object []byte) ([]byte, error) {
	wrote, live, shown := p.tree(object), p.tree(p.live), p.tree(p.do("read", p.read, p.live))
	for _, other := range []string{"spec", "status"} {
		if other != part && shown[other] != nil {
			wrote[other] = shown[other]
		}
	}
	was, err := p.up(written(p.propertyCase, shown))
	if err != nil {
		return nil, err
	}
	is, err := p.up(written(p.propertyCase, wrote))
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
		if !SameText(text(was), text(is)) {
			live[part] = json.RawMessage(text(is))
		}
		return written(p.propertyCase, live), nil
	}
	if !Same(statusShape, text(was), text(is)) {
		live[part] = json.RawMessage(Merge(nil, statusShape, text(p.live), text(was), text(is)))
	}
	return written(p.propertyCase, live), nil
}

// memberOf returns the value of a member, or nil.
func memberOf(object []byte, name string) []byte {
	list := objectjson.ListMembers(object)
	return list.Get(name)
}

// up converts an object of the version to v1 without preserved data. An allocation of a version that names no request
// is for the first stored one.
func (p *promise) up(object []byte) ([]byte, error) {
	if !isProjection(p.version) {
		return p.write(object)
	}
	requests := objectjson.Items(memberOf(memberOf(memberOf(p.live, "spec"), "devices"), "requests"))
	if len(requests) == 0 {
		o := conversion.Options{VisibleOnly: true, Manifest: true}
		up, _, err := conversion.JSON(object, conversion.Stored(), o)
		return up, err
	}
	claim, _, err := hub.Read(p.version, memberOf(object, "spec"), memberOf(object, "status"))
	if err != nil {
		return nil, err
	}
	request := objectjson.StringOf(memberOf(requests[0], "name"))
	up, err := claim.(hub.LossyClaim).ToV1For(request, hub.Options{HasName: true, Manifest: true})
	if err != nil {
		return nil, err
	}
	parts := map[string]any{"spec": up.Spec}
	if up.Status != nil {
		parts["status"] = up.Status
	}
	return objectjson.Marshal(parts), nil
}
