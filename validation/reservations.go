package validation

import (
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

var reservedForPath = statusPath.Child("reservedFor")

var reservationsAtMost32 = atMost(v1alpha3.ResourceClaimReservedForMaxSize, "reservations-at-most-32",
	"A claim is reserved for at most 32 consumers.",
	"Kubernetes 1.26 CT14, 1.30 CT14, 1.31 DT1", onStatus, func(w *write) (int, place) {
		return len(w.new.use.consumers), placeOf(reservedForPath)
	})

var reservationsAtMost256 = atMost(v1.ResourceClaimReservedForMaxSize, "reservations-at-most-256",
	"From 1.32 on a claim is reserved for at most 256 consumers.",
	"Kubernetes 1.32+ DT1", onStatus, func(w *write) (int, place) {
		return len(w.new.use.consumers), placeOf(reservedForPath)
	})

// consumers to judge.
func (w *write) consumers() []consumer {
	return judged(w, w.new.use.consumers, v1.ResourceClaimReservedForMaxSize)
}

var reservationUIDsAreUnique = Rule{
	Name:   "reservation-uids-are-unique",
	Reason: "Consumers are told apart by their UID: no two entries have the same.",
	Source: "Kubernetes 1.26 CT15, 1.30 CT15, 1.31+ DT3",
	asked:  onStatus,
	check: func(w *write, refuse refuser) {
		for i := range repeatedBy(w.consumers(), uidOf) {
			refuse(field.Duplicate(w.repeatedAt(reservedForPath.Index(i), "uid"),
				shown(string(w.new.use.consumers[i].UID))))
		}
	},
}

var reservationIsComplete = Rule{
	Name:   "reservation-is-complete",
	Reason: "A consumer is named by its resource, name and UID. Classic releases skip the entries that repeat a UID.",
	Source: "Kubernetes 1.26 CT16, 1.30 CT16, 1.31+ DT2",
	asked:  onStatus,
	check: func(w *write, refuse refuser) {
		skipped := map[int]bool{}
		if w.new.classicStatus != nil {
			for i := range repeatedBy(w.consumers(), uidOf) {
				skipped[i] = true
			}
		}
		for i, c := range w.consumers() {
			if skipped[i] {
				continue
			}
			for _, part := range [][2]string{{"resource", c.Resource}, {"name", c.Name}, {"uid", string(c.UID)}} {
				if part[1] == "" {
					refuse(field.Required(reservedForPath.Index(i).Child(part[0]), ""))
				}
			}
		}
	},
}

func uidOf(c *consumer) types.UID { return c.UID }

var reservationNeedsAllocation = Rule{
	Name:   "reservation-needs-allocation",
	Reason: "Only what is allocated can be reserved.",
	Source: "Kubernetes 1.26 CT17, 1.30 CT17, 1.31+ DT4",
	asked:  onStatus,
	check: func(w *write, refuse refuser) {
		if len(w.new.use.consumers) > 0 && !w.new.use.allocated {
			refuse(field.Forbidden(reservedForPath, "may not be specified when `allocated` is not set"))
		}
	},
}

// noReservationWhileGoingAway compares whole entries: a known UID under another name is a new entry.
var noReservationWhileGoingAway = Rule{
	Name:       "no-reservation-while-going-away",
	Reason:     "A claim that is deleted or to be deallocated takes no new consumers; old ones may leave.",
	Source:     "Kubernetes 1.26 CT19, 1.30 CT19, 1.31+ DT5",
	asked:      onStatus,
	transition: true,
	check: func(w *write, refuse refuser) {
		if !w.new.use.allocated || !w.old.deleting && (!w.new.use.deallocationRequested || w.release >= release1_32) {
			return
		}
		if addsConsumer(w.old.use.consumers, w.new.use.consumers) {
			refuse(field.Forbidden(reservedForPath,
				"new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set"))
		}
	},
}

// addsConsumer reports whether an entry is there that was not there before.
func addsConsumer(old, current []consumer) bool {
	return !sets.New(old...).HasAll(current...)
}

// reservedOnceUnlessShareable has no counterpart in v1alpha3, where every claim can be shared (DT6).
var reservedOnceUnlessShareable = Rule{
	Name:   "reserved-once-unless-shareable",
	Reason: "A claim whose allocation is not shareable has at most one consumer.",
	Source: "Kubernetes 1.26 CT18, 1.30 CT18",
	asked:  onStatus,
	check: func(w *write, refuse refuser) {
		if w.new.use.allocated && !w.new.classicStatus.shareable && len(w.new.use.consumers) > 1 {
			refuse(field.Forbidden(reservedForPath, "may not be reserved more than once"))
		}
	},
}
