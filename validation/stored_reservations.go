package validation

import (
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/internal/conversion"
)

// storedReservationRules apply the rules of older versions about consumers and deallocation to writes through newer
// versions.
var storedReservationRules = []Rule{
	{
		// v1alpha3 and later versions have no such limit, but with a second consumer the claim could no longer be
		// written through v1alpha1 or v1alpha2.
		Name: "unshareable-has-one-consumer",
		Reason: "A claim whose allocation is not shareable has at most one consumer. This applies to writes in every " +
			"version.",
		Source:       "claimbridge",
		operations:   onStatus,
		isTransition: true,
		check: func(in *input) field.ErrorList {
			if !in.stored.addsConsumerToUnshareable {
				return nil
			}
			return field.ErrorList{field.Forbidden(reservedForPath,
				"may not be reserved more than once: the allocation is not shareable (status.allocation.shareable in "+
					"v1alpha2)")}
		},
	},
	{
		// v1beta1 and later versions store deallocationRequested in status.claimbridgeDeallocationRequested. A client
		// that does not know the field drops it, and so withdraws the request. Unlike in 1.31, this is allowed: the
		// client could not correct the error.
		Name: "deallocation-request-is-kept",
		Reason: "No consumer can be added while the deallocation of a claim is requested, and a claim without an " +
			"allocation has no such request. This applies to writes in every version.",
		Source:       "claimbridge",
		operations:   onStatus,
		isTransition: true,
		check:        checkDeallocationRequest,
	},
}

// addsConsumerToUnshareable reports whether a status write through a version with devices adds a second consumer to a
// claim that is not shareable. Only v1alpha1 and v1alpha2 have the field shareable. The claim is converted without its
// consumers: two stored ones would make it look shareable.
func (in *input) addsConsumerToUnshareable() (bool, error) {
	consumers := in.new.status.ReservedFor
	if in.operation != UpdateStatus || in.new.spec == nil || !in.new.isAllocated || len(consumers) < 2 ||
		!addsConsumers(in.old.status.ReservedFor, consumers) {
		return false, nil
	}
	_, status := in.new.parsed.SpecAndStatus()
	_, converted, _, err := in.old.parsed.Convert(withoutConsumers(status), v1alpha2.GroupVersion.Version,
		conversion.Options{})
	if err != nil {
		return false, fmt.Errorf("as read in v1alpha2: %w", err)
	}
	claim, _ := converted.(*v1alpha2.ResourceClaimStatus)
	return claim != nil && claim.Allocation != nil && !claim.Allocation.Shareable, nil
}

// withoutConsumers returns a copy of a status of any version.
func withoutConsumers(status any) any {
	reduced := reflect.New(reflect.TypeOf(status).Elem())
	reduced.Elem().Set(reflect.ValueOf(status).Elem())
	reduced.Elem().FieldByName("ReservedFor").SetZero()
	return reduced.Interface()
}

func checkDeallocationRequest(in *input) field.ErrorList {
	if in.new.spec == nil || in.release.hasControllers() || !in.new.isDeallocationRequested() {
		return nil // in 1.31 and earlier, deallocationRules apply
	}
	path := statusPath.Child("claimbridgeDeallocationRequested")
	switch {
	case !in.new.isAllocated:
		return field.ErrorList{field.Forbidden(path,
			"may not be set without `allocation`: remove it together with the allocation")}
	case !in.old.isDeallocationRequested() && len(in.new.status.ReservedFor) > 0:
		return field.ErrorList{field.Forbidden(path, "deallocation cannot be requested while `reservedFor` is set")}
	case addsConsumers(in.old.status.ReservedFor, in.new.status.ReservedFor):
		return field.ErrorList{field.Forbidden(reservedForPath,
			"new entries may not be added while `claimbridgeDeallocationRequested` is set")}
	}
	return nil
}
