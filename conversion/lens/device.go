package lens

import (
	"reflect"

	v1 "k8s.io/api/resource/v1"

	"github.com/claimbridge/claimbridge/conversion/internal/merge"
)

// device is one of a slice of v1.
var device = merge.ShapeOf(reflect.TypeFor[v1.Device]())

// deviceDown writes a device of v1 as one of v1beta1: all but its name is in basic, which is always there.
func deviceDown(r *rewriter) {
	d, ok := r.members()
	if !ok {
		return
	}
	r.out = append(r.out, '{')
	for _, m := range d.List {
		if m.Name == "name" {
			r.member(m)
		}
	}
	r.out = append(comma(r.out), `"basic":{`...)
	for _, m := range d.List {
		if m.Name != "name" {
			r.member(m)
		}
	}
	r.out = append(r.out, '}', '}')
}

// deviceUp writes a device of v1beta1 as one of v1. What v1 has beside the name v1beta1 has in basic and nowhere else.
func deviceUp(r *rewriter) {
	d, ok := r.members()
	if !ok {
		return
	}
	basic := d.Get("basic")
	if !merge.IsNull(basic) && !merge.Is(basic, '{') {
		r.wrong("basic", "must be an object")
		return
	}
	r.out = append(r.out, '{')
	for _, m := range d.List {
		switch {
		case m.Name == "basic":
			for _, m := range merge.PartsOf(basic).List {
				if m.Name != "name" {
					r.member(m)
				}
			}
		case m.Name == "name" || !device.Knows(m.Name):
			r.member(m)
		}
	}
	r.out = append(r.out, '}')
}
