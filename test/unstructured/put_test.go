package unstructured

import (
	"encoding/json"
	"reflect"

	resourcev1 "k8s.io/api/resource/v1"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/conversion/hub"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// statusShape is of a status whose allocation changes as a whole.
var statusShape = ShapeOf(reflect.TypeFor[resourcev1.ResourceClaimStatus]()).Whole("allocation")

// put is what a write of a part should make of the live object, by who has that at hand: where what
// was written says what is shown, the part stays to the byte; else a spec is what was written, and
// in a status what the version shows of it changes.
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

// up is an object of the version in v1, with nothing beside it. An allocation of a version that
// names no request is for the first one that is stored.
func (p *promise) up(object []byte) ([]byte, error) {
	if !isProjection(p.version) {
		return p.write(object)
	}
	requests := objectjson.Items(memberOf(memberOf(memberOf(p.live, "spec"), "devices"), "requests"))
	if len(requests) == 0 {
		o := conversion.Options{VisibleOnly: true, AnnotationsOnly: true}
		up, _, err := conversion.JSON(object, conversion.Stored(), o)
		return up, err
	}
	claim, _, err := hub.Read(p.version, memberOf(object, "spec"), memberOf(object, "status"))
	if err != nil {
		return nil, err
	}
	o := hub.Options{HasName: true, IsManifest: true, Request: objectjson.StringOf(memberOf(requests[0], "name"))}
	up, err := claim.ToV1(o)
	if err != nil {
		return nil, err
	}
	parts := map[string]any{"spec": up.Spec}
	if up.Status != nil {
		parts["status"] = up.Status
	}
	return objectjson.Marshal(parts), nil
}
