package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

var requestsAtMost32 = atMost(v1.DeviceRequestsMaxSize, "requests-at-most-32",
	"A claim has at most 32 requests, and may have none.",
	"Kubernetes 1.31+ DS1", onSpec, func(w *write) (int, *field.Path) { return len(w.new.structured.Devices.Requests), w.requestsPath() })

var requestNamesAreUnique = Rule{
	Name:   "request-names-are-unique",
	Reason: "Requests are referred to by their names: no two have the same.",
	Source: "Kubernetes 1.31+ DS2",
	asked:  onSpec,
	check: func(w *write, refuse refuse) {
		requests := w.requests()
		for i := range repeatedBy(requests, func(r *v1.DeviceRequest) string { return r.Name }) {
			refuse(field.Duplicate(w.repeatedAt(w.requestsPath().Index(i), "name"), shown(requests[i].Name)))
		}
	},
}

// repeatedAt is where an item is refused whose key was there before: at the key up to 1.34, at the item from 1.35 on.
func (w *write) repeatedAt(item *field.Path, key string) *field.Path {
	if w.release < release1_35 {
		return item.Child(key)
	}
	return item
}

var requestNameIsLabel = Rule{
	Name:   "request-name-is-label",
	Reason: "The name of a request, or of one of its alternatives, is a DNS label: at most 63 bytes, no dots.",
	Source: "Kubernetes 1.31 DS3, 1.32 DS3, 1.33+ DS3 DS17",
	asked:  onSpec,
	check: func(w *write, refuse refuse) {
		for i, request := range w.requests() {
			checkLabel(request.Name, w.requestField(i, "name"), refuse)
		}
		for _, x := range w.wanted() {
			if x.alternative >= 0 && x.handwritten {
				checkLabel(x.Name, func() *field.Path { return w.wantedField(x, "name") }, refuse)
			}
		}
	},
}

var requestHasOneKind = Rule{
	Name:          "request-has-one-kind",
	Reason:        "A request asks for something exactly, or for the first of several alternatives that is available: one of both, not both.",
	Source:        "Kubernetes 1.33+ DS4 DS5",
	asked:         onSpec,
	ofLaterFields: true,
	check: func(w *write, refuse refuse) {
		for i, request := range w.requests() {
			switch exact, alternatives := request.Exactly != nil, len(request.FirstAvailable) > 0; {
			case !exact && !alternatives:
				refuse(field.Required(w.requestsPath().Index(i), "exactly one of `exactly` or `firstAvailable` is required"))
			case exact && alternatives:
				refuse(field.Invalid(w.requestsPath().Index(i), field.OmitValueType{},
					"exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set"))
			}
		}
	},
}

// deviceClassNameIsSubdomain: of alternatives 1.37 checks it twice.
var deviceClassNameIsSubdomain = Rule{
	Name:   "device-class-name-is-subdomain",
	Reason: "Whatever is asked for is of a DeviceClass; the name of a class is a DNS subdomain.",
	Source: "Kubernetes 1.31+ DS6",
	asked:  onSpec,
	check: func(w *write, refuse refuse) {
		for _, x := range w.wanted() {
			if !x.handwritten && (x.alternative < 0 || !x.declares(func(old *v1.DeviceSubRequest) bool { return old.DeviceClassName == x.DeviceClassName })) {
				continue
			}
			at := func() *field.Path { return w.wantedField(x, "deviceClassName") }
			if x.DeviceClassName == "" {
				refuse(field.Required(at(), ""))
			} else {
				checkSubdomain(x.DeviceClassName, at, refuse)
			}
		}
	},
}
