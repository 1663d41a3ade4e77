package validation

import (
	"slices"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// usedInSpec are the gated fields that a spec has.
func usedInSpec(spec *v1.ResourceClaimSpec) (used gated) {
	use := func(field gated, is bool) {
		if is {
			used |= field
		}
	}
	for i := range spec.Devices.Requests {
		r := &spec.Devices.Requests[i]
		if e := r.Exactly; e != nil {
			use(adminAccess, e.AdminAccess != nil)
			use(tolerations, len(e.Tolerations) > 0)
			use(capacity, e.Capacity != nil)
			use(derivedAttributes, len(e.DerivedAttributes) > 0)
		}
		use(firstAvailable, len(r.FirstAvailable) > 0)
		for j := range r.FirstAvailable {
			use(tolerations, len(r.FirstAvailable[j].Tolerations) > 0)
			use(capacity, r.FirstAvailable[j].Capacity != nil)
			use(derivedAttributes, len(r.FirstAvailable[j].DerivedAttributes) > 0)
		}
	}
	for i := range spec.Devices.Constraints {
		use(distinctAttribute, spec.Devices.Constraints[i].DistinctAttribute != nil)
	}
	return used
}

// dropSpec takes fields away from the spec, in a copy of its own if it has any.
func (o *object) dropSpec(fields gated) {
	if fields == 0 || o.structured == nil || usedInSpec(o.structured)&fields == 0 {
		return
	}
	spec := *o.structured
	spec.Devices.Requests = slices.Clone(spec.Devices.Requests)
	for i := range spec.Devices.Requests {
		dropFromRequest(&spec.Devices.Requests[i], fields)
	}
	if fields&distinctAttribute != 0 {
		spec.Devices.Constraints = slices.Clone(spec.Devices.Constraints)
		for i := range spec.Devices.Constraints {
			spec.Devices.Constraints[i].DistinctAttribute = nil
		}
	}
	o.structured = &spec
}

func dropFromRequest(r *v1.DeviceRequest, fields gated) {
	if r.Exactly != nil {
		e := *r.Exactly
		if fields&adminAccess != 0 {
			e.AdminAccess = nil
		}
		if fields&tolerations != 0 {
			e.Tolerations = nil
		}
		if fields&capacity != 0 {
			e.Capacity = nil
		}
		if fields&derivedAttributes != 0 {
			e.DerivedAttributes = nil
		}
		r.Exactly = &e
	}
	if fields&firstAvailable != 0 {
		r.FirstAvailable = nil
	}
	r.FirstAvailable = slices.Clone(r.FirstAvailable)
	for j := range r.FirstAvailable {
		a := &r.FirstAvailable[j]
		if fields&tolerations != 0 {
			a.Tolerations = nil
		}
		if fields&capacity != 0 {
			a.Capacity = nil
		}
		if fields&derivedAttributes != 0 {
			a.DerivedAttributes = nil
		}
	}
}

// dropNoAdminAccess: in 1.31 adminAccess is false or true, and false says the same as nothing.
func (w *write) dropNoAdminAccess() {
	if w.release != release1_31 {
		return
	}
	for _, o := range []*object{&w.old, &w.new} {
		if o.structured == nil {
			continue
		}
		for i := range o.structured.Devices.Requests {
			if e := o.structured.Devices.Requests[i].Exactly; e != nil && e.AdminAccess != nil && !*e.AdminAccess {
				e.AdminAccess = nil // of v1alpha3, whose requests are copies
			}
		}
	}
}
