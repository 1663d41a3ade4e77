package lens

import (
	"encoding/json"
	"reflect"

	resourcev1 "k8s.io/api/resource/v1"

	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// statusShape is of a status whose allocation changes as a whole.
var statusShape = ShapeOf(reflect.TypeFor[resourcev1.ResourceClaimStatus]()).Whole("allocation")

// put is what a write of a part should make of the live object, by who has that at hand: where what
// was written says what is shown, the part stays to the byte; else a spec is what was written, and
// in a status what the version shows of it changes.
func (p *promise) put(part string, object []byte) ([]byte, error) {
	wrote, live, shown := p.tree(object), p.tree(p.live), p.tree(p.do("down", p.Down, p.live))
	for _, other := range []string{"spec", "status"} {
		if other != part && shown[other] != nil {
			wrote[other] = shown[other]
		}
	}
	was, err := p.up(written(p.lawCase, shown))
	if err != nil {
		return nil, err
	}
	is, err := p.up(written(p.lawCase, wrote))
	if err != nil {
		return nil, err
	}
	text := func(o []byte) []byte {
		value := partGet(o, part)
		if value == nil {
			return []byte("{}")
		}
		return value
	}
	if part == "spec" {
		if !SameText(text(was), text(is)) {
			live[part] = json.RawMessage(text(is))
		}
		return written(p.lawCase, live), nil
	}
	if !Same(statusShape, text(was), text(is)) {
		live[part] = json.RawMessage(Merge(nil, statusShape, text(p.live), text(was), text(is)))
	}
	return written(p.lawCase, live), nil
}

// up is an object of the version in v1, with nothing beside it. An allocation of a version that
// names no request is for the first one that is stored.
func (p *promise) up(object []byte) ([]byte, error) {
	if p.view == "" {
		return p.Up(nil, object)
	}
	o := conversion.Options{Bare: true, AnnotationsOnly: true}
	if requests := kjson.Items(partGet(partGet(partGet(p.live, "spec"), "devices"), "requests")); len(requests) > 0 {
		o.Request = kjson.StringOf(partGet(requests[0], "name"))
	}
	up, _, err := conversion.JSON(object, conversion.Stored(), o)
	return up, err
}
