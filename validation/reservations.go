package validation

import (
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

// consumer is a consumer of a claim. It has the same fields in every version.
type consumer = v1.ResourceClaimConsumerReference

// reservationRules are about status.reservedFor.
var reservationRules = []Rule{
	{
		Name:       "reservations-at-most-32",
		Reason:     "A claim is reserved for at most 32 consumers.",
		Source:     "Kubernetes 1.26 CT14, 1.30 CT14, 1.31 DT1",
		Since:      release1_26,
		Until:      release1_31,
		operations: onStatus,
		check: func(in *input) field.ErrorList {
			n := len(in.new.status.ReservedFor)
			return in.validateLength(n, v1alpha3.ResourceClaimReservedForMaxSize, reservedForPath)
		},
	},
	{
		Name:       "reservations-at-most-256",
		Reason:     "Since 1.32, a claim is reserved for at most 256 consumers.",
		Source:     "Kubernetes 1.32+ DT1",
		Since:      release1_32,
		operations: onStatus,
		check: func(in *input) field.ErrorList {
			n := len(in.new.status.ReservedFor)
			return in.validateLength(n, v1.ResourceClaimReservedForMaxSize, reservedForPath)
		},
	},
	{
		Name:       "reservation-uids-are-unique",
		Reason:     "The UIDs of the consumers of a claim are unique.",
		Source:     "Kubernetes 1.26 CT15, 1.30 CT15, 1.31+ DT3",
		Since:      release1_26,
		operations: onStatus,
		check:      checkReservationUIDs,
	},
	{
		Name: "reservation-is-complete",
		Reason: "A consumer has a resource, a name and a UID. Kubernetes 1.26 and 1.30 skip entries with a duplicate " +
			"UID.",
		Source:     "Kubernetes 1.26 CT16, 1.30 CT16, 1.31+ DT2",
		Since:      release1_26,
		operations: onStatus,
		check:      checkReservationsAreComplete,
	},
	{
		Name:       "reservation-needs-allocation",
		Reason:     "Only an allocated claim can be reserved.",
		Source:     "Kubernetes 1.26 CT17, 1.30 CT17, 1.31+ DT4",
		Since:      release1_26,
		operations: onStatus,
		check: func(in *input) field.ErrorList {
			if len(in.new.status.ReservedFor) == 0 || in.new.isAllocated {
				return nil
			}
			return field.ErrorList{field.Forbidden(reservedForPath, "may not be specified when `allocated` is not set")}
		},
	},
	{
		// v1alpha3 and later versions have no such rule: every claim can be shared (DT6).
		Name:       "reserved-once-unless-shareable",
		Reason:     "A claim whose allocation is not shareable has at most one consumer.",
		Source:     "Kubernetes 1.26 CT18, 1.30 CT18",
		Since:      release1_26,
		Until:      release1_30,
		operations: onStatus,
		check: func(in *input) field.ErrorList {
			if !in.new.isAllocated || in.new.classic.isShareable || len(in.new.status.ReservedFor) <= 1 {
				return nil
			}
			return field.ErrorList{field.Forbidden(reservedForPath, "may not be reserved more than once")}
		},
	},
	{
		Name:         "no-reservation-while-going-away",
		Reason:       "A claim that is being deleted or deallocated gets no new consumers. Consumers can be removed.",
		Source:       "Kubernetes 1.26 CT19, 1.30 CT19, 1.31+ DT5",
		Since:        release1_26,
		operations:   onStatus,
		isTransition: true,
		check:        checkNoReservationWhileDeletedOrDeallocated,
	},
}

// validatedConsumers returns the consumers that are validated.
func (in *input) validatedConsumers() []consumer {
	return validatedItems(in, in.new.status.ReservedFor, v1.ResourceClaimReservedForMaxSize)
}

func uidOf(c *consumer) types.UID { return c.UID }

func checkReservationUIDs(in *input) (errs field.ErrorList) {
	consumers := in.validatedConsumers()
	for i := range duplicatesBy(consumers, uidOf) {
		path := in.duplicatePath(reservedForPath.Index(i), "uid")
		errs = add(errs, field.Duplicate(path, nameValue(string(consumers[i].UID))))
	}
	return errs
}

func checkReservationsAreComplete(in *input) (errs field.ErrorList) {
	consumers := in.validatedConsumers()
	isSkipped := map[int]bool{}
	if in.new.classic != nil {
		for i := range duplicatesBy(consumers, uidOf) {
			isSkipped[i] = true
		}
	}
	for i, c := range consumers {
		if isSkipped[i] {
			continue
		}
		path := reservedForPath.Index(i)
		if c.Resource == "" {
			errs = add(errs, field.Required(path.Child("resource"), ""))
		}
		if c.Name == "" {
			errs = add(errs, field.Required(path.Child("name"), ""))
		}
		if c.UID == "" {
			errs = add(errs, field.Required(path.Child("uid"), ""))
		}
	}
	return errs
}

// checkNoReservationWhileDeletedOrDeallocated compares whole entries: a known UID with another name is a new entry.
func checkNoReservationWhileDeletedOrDeallocated(in *input) field.ErrorList {
	isDeallocating := in.new.status.ClaimbridgeDeallocationRequested && in.release.hasControllers()
	if !in.new.isAllocated || !in.old.isBeingDeleted && !isDeallocating ||
		!addsConsumers(in.old.status.ReservedFor, in.new.status.ReservedFor) {
		return nil
	}
	return field.ErrorList{field.Forbidden(reservedForPath,
		"new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set")}
}

// addsConsumers reports whether a list has an entry that the old one does not have.
func addsConsumers(old, current []consumer) bool { return !sets.New(old...).HasAll(current...) }
