package validation

import (
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/conversion"
)

// unshareableHasOneConsumer guards claims that a classic driver allocated for one consumer.
// Versions from v1alpha3 on have no such limit, but with a second consumer the claim could no
// longer be written through v1alpha1 or v1alpha2.
var unshareableHasOneConsumer = Rule{
	Name:       "unshareable-has-one-consumer",
	Reason:     "A claim that was allocated as not shareable takes no second consumer, through whatever version.",
	Source:     "claimbridge",
	asked:      onStatus,
	transition: true,
	check: func(w *write, refuse refuser) {
		if !w.shareable {
			refuse(field.Forbidden(reservedForPath,
				"may not be reserved more than once: the allocation was made as not shareable, in a version that "+
					"says so"))
		}
	},
}

// shareable reports whether nothing speaks against the consumers that a status write through a
// version with devices adds. Whether an allocation is shareable only older versions show, so the
// new object is looked at there, without its consumers: two that were stored all the same would
// make it look shareable.
func shareable(w *write) (bool, error) {
	if w.op != UpdateStatus || w.new.structured == nil || !w.new.use.allocated ||
		len(w.new.use.consumers) < 2 || !addsConsumer(w.old.use.consumers, w.new.use.consumers) {
		return true, nil
	}
	_, status := w.new.opened.Parts()
	_, classic, _, err := w.old.opened.Convert(withoutConsumers(status), v1alpha2.GroupVersion.Version,
		conversion.Options{})
	if err != nil {
		return false, fmt.Errorf("as read in v1alpha2: %w", err)
	}
	claim, _ := classic.(*v1alpha2.ResourceClaimStatus)
	return claim == nil || claim.Allocation == nil || claim.Allocation.Shareable, nil
}

// withoutConsumers is a copy of a status of any version.
func withoutConsumers(status any) any {
	alone := reflect.New(reflect.TypeOf(status).Elem())
	alone.Elem().Set(reflect.ValueOf(status).Elem())
	alone.Elem().FieldByName("ReservedFor").SetZero()
	return alone.Interface()
}
