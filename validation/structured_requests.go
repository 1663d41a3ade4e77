package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

var requestsAtMost32 = atMost(v1.DeviceRequestsMaxSize, "requests-at-most-32",
	"A claim has at most 32 requests, and may have none.",
	"Kubernetes 1.31+ DS1", onSpec, func(w *write) (int, place) {
		return len(w.new.structured.Devices.Requests), w.devicesPlace("requests")
	})

var requestNamesAreUnique = Rule{
	Name:   "request-names-are-unique",
	Reason: "Requests are referred to by their names: no two have the same.",
	Source: "Kubernetes 1.31+ DS2",
	asked:  onSpec,
	check: func(w *write, refuse refuser) {
		requests := w.requests()
		for i := range repeatedBy(requests, func(r *v1.DeviceRequest) string { return r.Name }) {
			refuse(field.Duplicate(w.repeatedAt(w.devicesPlace("requests").path().Index(i), "name"),
				shown(requests[i].Name)))
		}
	},
}

var requestNameIsLabel = Rule{
	Name:   "request-name-is-label",
	Reason: "The name of a request, or of one of its alternatives, is a DNS label: at most 63 bytes, no dots.",
	Source: "Kubernetes 1.31 DS3, 1.32 DS3, 1.33+ DS3 DS17",
	asked:  onSpec,
	check: func(w *write, refuse refuser) {
		eachRequest.each(w, func(_ *write, r *v1.DeviceRequest, at place, refuse refuser) {
			checkLabel(r.Name, at.child("name"), refuse)
		}, refuse)
		handwritten.each(w, func(_ *write, x *wanted, at place, refuse refuser) {
			if x.alternative >= 0 {
				checkLabel(x.Name, at.child("name"), refuse)
			}
		}, refuse)
	},
}

var requestHasOneKind = items[*v1.DeviceRequest]{
	asked: onSpec, ofLaterFields: true, each: eachRequest.each,
}.rule("request-has-one-kind",
	"A request asks for something exactly, or for the first of several alternatives that is available: one of both, "+
		"not both.",
	"Kubernetes 1.33+ DS4 DS5", func(_ *write, r *v1.DeviceRequest, at place, refuse refuser) {
		switch exact, alternatives := r.Exactly != nil, len(r.FirstAvailable) > 0; {
		case !exact && !alternatives:
			refuse(field.Required(at.path(), "exactly one of `exactly` or `firstAvailable` is required"))
		case exact && alternatives:
			refuse(field.Invalid(at.path(), field.OmitValueType{},
				"exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set"))
		}
	})

// deviceClassNameIsSubdomain: of alternatives 1.37 checks it twice.
var deviceClassNameIsSubdomain = requested.rule("device-class-name-is-subdomain",
	"Whatever is asked for is of a DeviceClass; the name of a class is a DNS subdomain.",
	"Kubernetes 1.31+ DS6", func(_ *write, x *wanted, at place, refuse refuser) {
		declares := x.alternative >= 0 && x.declares(func(old *v1.DeviceSubRequest) bool {
			return old.DeviceClassName == x.DeviceClassName
		})
		switch {
		case !x.handwritten && !declares:
		case x.DeviceClassName == "":
			refuse(field.Required(at.path().Child("deviceClassName"), ""))
		default:
			checkSubdomain(x.DeviceClassName, at.child("deviceClassName"), refuse)
		}
	})

// alternativeLists of requests to judge: from 1.35 on none beside exactly, but by the declarative checks of 1.37.
var alternativeLists = items[[]v1.DeviceSubRequest]{
	asked: onSpec, ofLaterFields: true,
	each: func(w *write, check check[[]v1.DeviceSubRequest], refuse refuser) {
		eachRequest.each(w, func(w *write, r *v1.DeviceRequest, at place, refuse refuser) {
			looked := r.Exactly == nil || w.release < release1_35
			if !looked {
				old, changed := w.before(r)
				looked = changed && (old == nil || !semantic.DeepEqual(old.FirstAvailable, r.FirstAvailable))
			}
			if looked {
				check(w, r.FirstAvailable, at.child("firstAvailable"), refuse)
			}
		}, refuse)
	},
}

var alternativesAtMost8 = alternativeLists.rule("alternatives-at-most-8", "A request has at most 8 alternatives.",
	"Kubernetes 1.33+ DS15", func(_ *write, list []v1.DeviceSubRequest, at place, refuse refuser) {
		if n := len(list); n > v1.FirstAvailableDeviceRequestMaxSize {
			refuse(field.TooMany(at.path(), n, v1.FirstAvailableDeviceRequestMaxSize))
		}
	})

var alternativeNamesAreUnique = alternativeLists.rule("alternative-names-are-unique",
	"Alternatives are referred to by their names: no two of a request have the same.",
	"Kubernetes 1.33+ DS16", func(w *write, list []v1.DeviceSubRequest, at place, refuse refuser) {
		alternatives := judged(w, list, v1.FirstAvailableDeviceRequestMaxSize)
		for j := range repeatedBy(alternatives, func(a *v1.DeviceSubRequest) string { return a.Name }) {
			refuse(field.Duplicate(w.repeatedAt(at.path().Index(j), "name"), shown(alternatives[j].Name)))
		}
	})
