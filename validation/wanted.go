package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// wanted is what a request asks for: exactly, or with one of its alternatives. Both have the same rules.
type wanted struct {
	request int
	// alternative of the request, or -1.
	alternative int
	*v1.DeviceSubRequest
	// path of it in errors: from 1.33 on as in v1, whatever the version.
	path *field.Path

	// handwritten is set when the checks of the release look at it, declared when the declarative
	// ones do, which 1.37 has too.
	handwritten, declared bool
	// before is the same thing in the old object, where the declarative checks look for what has
	// changed; nil when there is nothing to compare with.
	before *v1.DeviceSubRequest
}

// devicesPlace is where a list of a claim's spec is.
func (w *write) devicesPlace(list string) place {
	return placeOf(devicesPathOf[w.kind]).child(list)
}

// requests to judge.
func (w *write) requests() []v1.DeviceRequest {
	return judged(w, w.new.structured.Devices.Requests, v1.DeviceRequestsMaxSize)
}

var eachRequest = items[*v1.DeviceRequest]{asked: onSpec, each: func(w *write, check check[*v1.DeviceRequest],
	refuse refuser,
) {
	checkList(w, w.requests(), w.devicesPlace("requests"), check, refuse)
}}

// requested is what is wanted by all requests, handwritten what of it the checks of the release
// look at that are not declarative.
var (
	requested = items[*wanted]{asked: onSpec, each: func(w *write, check check[*wanted], refuse refuser) {
		for i := range w.wanted() {
			check(w, &w.all[i], placeOf(w.all[i].path), refuse)
		}
	}}
	handwritten = items[*wanted]{asked: onSpec, each: func(w *write, check check[*wanted], refuse refuser) {
		for i := range w.wanted() {
			if x := &w.all[i]; x.handwritten {
				check(w, x, placeOf(x.path), refuse)
			}
		}
	}}
)

// judged are the items of a list that may have so many. From 1.35 on nothing is said about the items of a longer one.
func judged[T any](w *write, list []T, most int) []T {
	if len(list) > most && w.release >= release1_35 {
		return nil
	}
	return list
}

// wanted by all requests, put together once.
func (w *write) wanted() []wanted {
	if w.all != nil {
		return w.all
	}
	requests := w.requests()
	w.all = make([]wanted, 0, len(requests))
	for i := range requests {
		r := &requests[i]
		x := wanted{
			request:     i,
			alternative: -1,
			handwritten: r.Exactly == nil || len(r.FirstAvailable) == 0 || w.release < release1_35,
		}
		old, changed := w.before(r)
		at := w.devicesPlace("requests").index(i)
		x.declared = changed
		if r.Exactly != nil {
			if x.path = at.path(); w.release >= release1_33 {
				x.path = x.path.Child("exactly")
			}
			x.DeviceSubRequest, x.before = asAlternative(r.Exactly), nil
			if old != nil && old.Exactly != nil {
				x.before = asAlternative(old.Exactly)
			}
			w.all = append(w.all, x)
		}
		for j := range judged(w, r.FirstAvailable, v1.FirstAvailableDeviceRequestMaxSize) {
			x.alternative = j
			x.DeviceSubRequest = &r.FirstAvailable[j]
			x.path = at.child("firstAvailable").index(j).path()
			x.before, x.declared = alternativeBefore(old, &r.FirstAvailable[j], changed)
			w.all = append(w.all, x)
		}
	}
	return w.all
}

// asAlternative has the fields of both. Admin access has no rule of its own.
func asAlternative(e *v1.ExactDeviceRequest) *v1.DeviceSubRequest {
	return &v1.DeviceSubRequest{
		DeviceClassName: e.DeviceClassName, Selectors: e.Selectors, AllocationMode: e.AllocationMode, Count: e.Count,
		Tolerations: e.Tolerations, Capacity: e.Capacity, DerivedAttributes: e.DerivedAttributes,
	}
}
