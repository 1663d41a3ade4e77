package lens

import (
	"reflect"

	v1 "k8s.io/api/resource/v1"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// device is one of a slice of v1.
var device = fieldsOf(reflect.TypeFor[v1.Device]())

// deviceDown writes a device of v1 as one of v1beta1: all but its name is in basic, which is always there.
func deviceDown(r *rewriter) {
	d, ok := r.members()
	if !ok {
		return
	}
	r.out = append(r.out, '{')
	r.some(d.Items, isName)
	r.out = append(comma(r.out), `"basic":{`...)
	r.some(d.Items, isOther)
	r.out = append(r.out, '}', '}')
}

// deviceUp writes a device of v1beta1 as one of v1. What v1 has beside the name v1beta1 has in basic and nowhere else.
func deviceUp(r *rewriter) {
	d, ok := r.members()
	if !ok {
		return
	}
	basic := d.Get("basic")
	if !kjson.IsNull(basic) && !kjson.Begins(basic, '{') {
		r.wrong("basic", "must be an object")
		return
	}
	r.out = append(r.out, '{')
	for _, m := range d.Items {
		switch {
		case m.Name == "basic":
			r.some(kjson.ListMembers(basic).Items, isOther)
		case m.Name == "name" || !device.know(m.Name):
			r.member(m)
		}
	}
	r.out = append(r.out, '}')
}
