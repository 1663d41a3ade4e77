package validation

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// requestRules are about spec.devices.requests, without selectors, tolerations and derived attributes.
var requestRules = []Rule{
	{
		Name:       "requests-at-most-32",
		Reason:     "A claim has at most 32 requests. It can have none.",
		Source:     "Kubernetes 1.31+ DS1",
		Since:      release1_31,
		operations: onSpec,
		check: func(in *input) field.ErrorList {
			n := len(in.new.spec.Devices.Requests)
			return in.validateLength(n, v1.DeviceRequestsMaxSize, in.paths.devices.Child("requests"))
		},
	},
	{
		Name:       "request-names-are-unique",
		Reason:     "The names of the requests of a claim are unique.",
		Source:     "Kubernetes 1.31+ DS2",
		Since:      release1_31,
		operations: onSpec,
		check:      checkRequestNamesAreUnique,
	},
	{
		Name:       "request-name-is-label",
		Reason:     "The name of a request, or of one of its alternatives, is a DNS label: at most 63 bytes, no dots.",
		Source:     "Kubernetes 1.31 DS3, 1.32 DS3, 1.33+ DS3 DS17",
		Since:      release1_31,
		operations: onSpec,
		check:      checkRequestNames,
	},
	{
		Name:              "request-has-one-kind",
		Reason:            "A request has either exactly or firstAvailable, but not both.",
		Source:            "Kubernetes 1.33+ DS4 DS5",
		Since:             release1_33,
		coversLaterFields: true,
		operations:        onSpec,
		check:             checkRequestHasOneKind,
	},
	{
		Name:              "alternatives-at-most-8",
		Reason:            "A request has at most 8 alternatives.",
		Source:            "Kubernetes 1.33+ DS15",
		Since:             release1_33,
		coversLaterFields: true,
		operations:        onSpec,
		check:             checkAlternativesAtMost8,
	},
	{
		Name:              "alternative-names-are-unique",
		Reason:            "The names of the alternatives of a request are unique.",
		Source:            "Kubernetes 1.33+ DS16",
		Since:             release1_33,
		coversLaterFields: true,
		operations:        onSpec,
		check:             checkAlternativeNamesAreUnique,
	},
	{
		Name:       "device-class-name-is-subdomain",
		Reason:     "Every request and alternative has the name of a DeviceClass, which is a DNS subdomain.",
		Source:     "Kubernetes 1.31+ DS6",
		Since:      release1_31,
		operations: onSpec,
		check:      checkDeviceClassNames,
	},
	{
		Name: "request-count-fits-mode",
		Reason: "A request with the mode ExactCount has a count of at least 1. A request with the mode All has no " +
			"count.",
		Source:     "Kubernetes 1.31+ DS12 DS13",
		Since:      release1_31,
		operations: onSpec,
		check:      checkRequestCounts,
	},
	{
		Name:       "request-allocation-mode-is-known",
		Reason:     "The mode of a request is ExactCount, the default, or All.",
		Source:     "Kubernetes 1.31+ DS14",
		Since:      release1_31,
		operations: onSpec,
		check:      checkRequestAllocationModes,
	},
}

func checkRequestNamesAreUnique(in *input) (errs field.ErrorList) {
	requests := in.requests()
	for i := range duplicatesBy(requests, func(r *v1.DeviceRequest) string { return r.Name }) {
		errs = add(errs, field.Duplicate(in.duplicatePath(in.requestPath(i), "name"), nameValue(requests[i].Name)))
	}
	return errs
}

func checkRequestNames(in *input) (errs field.ErrorList) {
	for i, r := range in.requests() {
		errs = add(errs, validateLabel(r.Name, in.requestPath(i).Child("name"))...)
	}
	for _, r := range in.subRequests {
		if r.isAlternative {
			errs = add(errs, validateLabel(r.Name, r.path.Child("name"))...)
		}
	}
	return errs
}

func checkRequestHasOneKind(in *input) (errs field.ErrorList) {
	for i := range in.requests() {
		r := &in.requests()[i]
		switch {
		case r.Exactly == nil && len(r.FirstAvailable) == 0:
			errs = add(errs,
				field.Required(in.requestPath(i), "exactly one of `exactly` or `firstAvailable` is required"))
		case isAmbiguous(r):
			errs = add(errs, field.Invalid(in.requestPath(i), field.OmitValueType{},
				"exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set"))
		}
	}
	return errs
}

func checkAlternativesAtMost8(in *input) (errs field.ErrorList) {
	for i := range in.requests() {
		r := &in.requests()[i]
		if n := len(r.FirstAvailable); n > v1.FirstAvailableDeviceRequestMaxSize && !in.skipsAmbiguous(r) {
			path := in.requestPath(i).Child("firstAvailable")
			errs = add(errs, field.TooMany(path, n, v1.FirstAvailableDeviceRequestMaxSize))
		}
	}
	return errs
}

func checkAlternativeNamesAreUnique(in *input) (errs field.ErrorList) {
	for i := range in.requests() {
		r := &in.requests()[i]
		if in.skipsAmbiguous(r) || in.skipsUnchangedAlternatives(r) {
			continue
		}
		alternatives := validatedItems(in, r.FirstAvailable, v1.FirstAvailableDeviceRequestMaxSize)
		for j := range duplicatesBy(alternatives, func(a *v1.DeviceSubRequest) string { return a.Name }) {
			path := in.duplicatePath(in.requestPath(i).Child("firstAvailable").Index(j), "name")
			errs = add(errs, field.Duplicate(path, nameValue(alternatives[j].Name)))
		}
	}
	return errs
}

// skipsUnchangedAlternatives reports whether the alternatives of an ambiguous request are not validated because the old
// request has the same ones. In releases with declarative validation, only that covers them, and it skips unchanged
// fields.
func (in *input) skipsUnchangedAlternatives(r *v1.DeviceRequest) bool {
	if !isAmbiguous(r) || !in.isDeclarative() {
		return false
	}
	old := in.oldRequest(r.Name)
	return old != nil && semantic.DeepEqual(old.FirstAvailable, r.FirstAvailable)
}

func checkDeviceClassNames(in *input) (errs field.ErrorList) {
	for _, r := range in.declarativeSubRequests {
		path := r.path.Child("deviceClassName")
		switch {
		case in.isDeclarativeOnly(&r) && !r.isAlternative:
			// Only declarative validation covers this request, and it does not check the class in `exactly`.
		case in.skipsUnchangedClass(&r):
		case r.DeviceClassName == "":
			errs = add(errs, field.Required(path, ""))
		default:
			errs = add(errs, validateSubdomain(r.DeviceClassName, path)...)
		}
	}
	return errs
}

// skipsUnchangedClass reports whether the class of an alternative is not validated because the old alternative has the
// same one. In releases with declarative validation, only that covers it, and it skips unchanged fields.
func (in *input) skipsUnchangedClass(r *subRequest) bool {
	if !r.isAlternative || !in.isDeclarative() {
		return false
	}
	old := in.oldAlternative(r)
	return old != nil && old.DeviceClassName == r.DeviceClassName
}

// isDeclarativeOnly reports whether only declarative validation covers a subrequest, because its request is ambiguous.
func (in *input) isDeclarativeOnly(r *subRequest) bool {
	return r.isAmbiguous && in.release.skipsAmbiguousRequests()
}

func checkRequestCounts(in *input) (errs field.ErrorList) {
	for _, r := range in.subRequests {
		switch {
		case r.AllocationMode == v1.DeviceAllocationModeAll && r.Count != 0:
			errs = add(errs, field.Invalid(r.path.Child("count"), r.Count,
				fmt.Sprintf("must not be specified when allocationMode is '%s'", r.AllocationMode)))
		case r.AllocationMode == v1.DeviceAllocationModeExactCount && r.Count <= 0:
			errs = add(errs, field.Invalid(r.path.Child("count"), r.Count, "must be greater than zero"))
		}
	}
	return errs
}

// checkRequestAllocationModes rejects unknown modes and the empty mode. In v1alpha3 and v1beta1, the mode of a request
// without a class can be empty. Declarative validation accepts that.
func checkRequestAllocationModes(in *input) (errs field.ErrorList) {
	for _, r := range in.declarativeSubRequests {
		if r.AllocationMode == v1.DeviceAllocationModeExactCount {
			continue // the mode of most requests: don't allocate a path
		}
		if r.AllocationMode == "" && in.isDeclarativeOnly(&r) {
			continue
		}
		errs = add(errs, validateEnum(r.AllocationMode, r.path.Child("allocationMode"),
			v1.DeviceAllocationModeAll, v1.DeviceAllocationModeExactCount)...)
	}
	return errs
}
