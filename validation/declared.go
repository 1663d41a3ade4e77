package validation

import (
	"slices"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// Kubernetes 1.37 checks some things a second time, declaratively: on the object in the version of
// the request, and only what an update changes. Where both find the same, the path of the second
// stands. Where only one looks, it finds alone.

// declares reports whether there are declarative checks of a spec.
func (w *write) declares() bool {
	return w.release >= release1_37 && w.op != UpdateStatus && !w.contentOnly
}

// before gives the request of the old object that has the same name, and reports whether the
// declarative checks look at the new one: not where nothing has changed.
func (w *write) before(r *v1.DeviceRequest) (old *v1.DeviceRequest, changed bool) {
	if !w.declares() {
		return nil, false
	}
	if w.old.structured == nil {
		return nil, true
	}
	if semantic.DeepEqual(w.old.structured.Devices.Requests, w.new.structured.Devices.Requests) {
		return nil, false
	}
	requests := w.old.structured.Devices.Requests
	i := slices.IndexFunc(requests, func(o v1.DeviceRequest) bool { return o.Name == r.Name })
	if i < 0 {
		return nil, true
	}
	return &requests[i], !semantic.DeepEqual(&requests[i], r)
}

// alternativeBefore is the same for one alternative of a request.
func alternativeBefore(old *v1.DeviceRequest, a *v1.DeviceSubRequest, changed bool) (_ *v1.DeviceSubRequest, _ bool) {
	if old == nil || !changed {
		return nil, changed
	}
	i := slices.IndexFunc(old.FirstAvailable, func(o v1.DeviceSubRequest) bool { return o.Name == a.Name })
	if i < 0 {
		return nil, true
	}
	return &old.FirstAvailable[i], !semantic.DeepEqual(&old.FirstAvailable[i], a)
}

// covered gives the place of what is wanted for an error about a field that is also checked
// declaratively, when anybody looks. The field is one that the old object may have had already,
// where same says so.
func (w *write) covered(x *wanted, same func(old *v1.DeviceSubRequest) bool) (at place, looks bool) {
	if x.declares(same) {
		return w.declaredPlaceOf(x), true
	}
	return placeOf(x.path), x.handwritten
}

// declaredPlaceOf what is wanted is that in the version of the write.
func (w *write) declaredPlaceOf(x *wanted) place {
	if x.alternative < 0 && w.flat {
		return w.devicesPlace("requests").index(x.request)
	}
	return placeOf(x.path)
}

// declares reports whether the declarative checks look at a field, which they do not where same says that it was there.
func (x *wanted) declares(same func(old *v1.DeviceSubRequest) bool) bool {
	return x.declared && (x.before == nil || !same(x.before))
}
