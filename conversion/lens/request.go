package lens

import (
	"reflect"

	v1 "k8s.io/api/resource/v1"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// exactly is what v1 has in exactly of a request, and v1beta1 in the request.
var exactly = fieldsOf(reflect.TypeFor[v1.ExactDeviceRequest]())

// noClass is what v1beta1 says of a request without a class: the name is always written.
const noClass = `"deviceClassName":""`

// requestDown writes a request of v1 as one of v1beta1: the members of exactly stand where it stood, and a class behind the name of a
// request that has none.
func requestDown(r *rewriter) {
	if r.s.Null() {
		r.out = append(r.out, null...)
		return
	}
	if !r.must('{', "must be an object") {
		return
	}
	r.out = append(r.out, '{')
	begin, behindName, class := len(r.out), len(r.out), false
	for name := range r.s.Members() {
		before := len(r.out)
		switch {
		case name != "exactly":
			r.name(r.s.Name())
			r.copy()
		case !r.s.Null():
			class = r.spread() || class
		}
		if name == "name" && before == begin {
			behindName = len(r.out)
		}
	}
	if !class && !r.s.Failed() {
		rest := string(r.out[behindName:])
		r.out = append(comma(r.out[:behindName]), noClass...)
		if rest != "" && rest[0] != ',' {
			r.out = append(r.out, ',')
		}
		r.out = append(r.out, rest...)
	}
	r.out = append(r.out, '}')
}

// spread writes the members of the object that comes next among those that are there, and reports whether one is a class.
func (r *rewriter) spread() (class bool) {
	r.at = append(r.at, step{name: "exactly"})
	if !r.must('{', "must be an object") {
		return false
	}
	r.at = r.at[:len(r.at)-1]
	for name := range r.s.Members() {
		r.name(r.s.Name())
		r.copy()
		class = class || name == "deviceClassName"
	}
	return class
}

// requestUp writes a request of v1beta1 as one of v1. As in Kubernetes' own conversion an exactly is made where one of its fields is
// set, if only to an empty list, and what is not set is not in it. A field that came after this package goes into it too, where all
// such fields have come; where there is none, it stays beside it, so that it makes none.
func requestUp(r *rewriter) {
	request, ok := r.members()
	if !ok {
		return
	}
	set := false
	for _, m := range request.Items {
		set = set || exactly.set(m)
	}
	r.out = append(r.out, '{')
	for _, m := range request.Items {
		if m.Name == "name" {
			r.member(m)
		}
	}
	if set {
		r.out = append(kjson.AppendName(r.out, "exactly"), '{')
		for _, m := range request.Items {
			if exactly.set(m) || !exactly.know(m.Name) && !ofRequest[m.Name] {
				r.member(m)
			}
		}
		r.out = append(r.out, '}')
	}
	for _, m := range request.Items {
		if m.Name == "firstAvailable" || !set && !exactly.know(m.Name) && !ofRequest[m.Name] {
			r.member(m)
		}
	}
	r.out = append(r.out, '}')
}

// ofRequest are names that have their own place in a request of v1; v1beta1 has no exactly.
var ofRequest = map[string]bool{"name": true, "firstAvailable": true, "exactly": true}

func (r *rewriter) member(m kjson.Member) {
	r.out = append(kjson.AppendName(r.out, m.Name), m.Value...)
}

// comma unless the object has just begun.
func comma(out []byte) []byte {
	if out[len(out)-1] == '{' {
		return out
	}
	return append(out, ',')
}
