package lens

import (
	"reflect"
	"slices"

	v1 "k8s.io/api/resource/v1"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// exactly is what v1 has in exactly of a request, and v1beta1 in the request.
var exactly = fieldsOf(reflect.TypeFor[v1.ExactDeviceRequest]())

// noClass is what v1beta1 says of a request without a class: the name is always written.
const noClass = `"deviceClassName":""`

// requestDown writes a request of v1 as one of v1beta1: the members of exactly stand where it
// stood, and a class behind the name of a request that has none.
func requestDown(r *rewriter) {
	if !r.enters('{', "must be an object") {
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
			if class = r.spread() || class; r.err != nil {
				return
			}
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

// spread writes the members of the object that comes next among those that are there, and reports
// whether one is a class.
func (r *rewriter) spread() (class bool) {
	if !r.must('{', "must be an object") {
		r.err = kjson.Within("exactly", r.err) // nil where it is no JSON
		return false
	}
	for name := range r.s.Members() {
		r.name(r.s.Name())
		r.copy()
		class = class || name == "deviceClassName"
	}
	return class
}

// requestUp writes a request of v1beta1 as one of v1. As in Kubernetes' own conversion an exactly
// is made where one of its fields is set, if only to an empty list, and what is not set is not in
// it. A field that came after this package goes into it too, where all such fields have come; where
// there is none, it stays beside it, so that it makes none.
func requestUp(r *rewriter) {
	request, ok := r.members()
	if !ok {
		return
	}
	set := slices.ContainsFunc(request.Items, exactly.set)
	isLater := func(m kjson.Member) bool { return !exactly.know(m.Name) && !ofRequest[m.Name] }
	r.out = append(r.out, '{')
	r.some(request.Items, isName)
	if set {
		r.out = append(kjson.AppendName(r.out, "exactly"), '{')
		r.some(request.Items, func(m kjson.Member) bool { return exactly.set(m) || isLater(m) })
		r.out = append(r.out, '}')
	}
	r.some(request.Items, func(m kjson.Member) bool { return m.Name == "firstAvailable" || !set && isLater(m) })
	r.out = append(r.out, '}')
}

// ofRequest are names that have their own place in a request of v1; v1beta1 has no exactly.
var ofRequest = map[string]bool{"name": true, "firstAvailable": true, "exactly": true}

func (r *rewriter) member(m kjson.Member) {
	r.out = append(kjson.AppendName(r.out, m.Name), m.Value...)
}

// some of the members, which are such ones.
func (r *rewriter) some(members []kjson.Member, are func(kjson.Member) bool) {
	for _, m := range members {
		if are(m) {
			r.member(m)
		}
	}
}

func isName(m kjson.Member) bool { return m.Name == "name" }

func isOther(m kjson.Member) bool { return m.Name != "name" }

// comma unless the object has just begun.
func comma(out []byte) []byte {
	if out[len(out)-1] == '{' {
		return out
	}
	return append(out, ',')
}
