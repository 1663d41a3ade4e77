package lens

import (
	"bytes"
	"fmt"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/conversion/internal/merge"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/internal/names"
)

// What classic versions say beyond v1 is in entries of configuration, of which API servers take so many in a spec and so many in an
// allocation. Beyond that v1 has no place for it, and would name a field that the client does not know.

// fits counts the entries of a claim that has some of ours.
func (w classicWay) fits(object []byte) error {
	if !bytes.Contains(object, []byte(names.Domain)) {
		return nil
	}
	at := func(path ...string) []byte {
		value := object
		for _, name := range path {
			value = partGet(value, name)
		}
		return value
	}
	if n := ours(at("spec", "devices", "config")); n > v1.DeviceConfigMaxSize {
		return refuse(w.field("spec.controller", "spec"), tooMany(n, v1.DeviceConfigMaxSize)+": take out as many of the configuration")
	}
	if n := ours(at("status", "allocation", "devices", "config")); n > v1.AllocationConfigMaxSize {
		return refuse(w.field("status.allocation.devices.config", "status.allocation"), tooMany(n, v1.AllocationConfigMaxSize)+
			": use fewer handles or shorter data; each 7,560 bytes take an entry")
	}
	return nil
}

func tooMany(n, most int) string {
	return fmt.Sprintf("the cluster stores this in v1, where it takes %d entries of configuration, and there are at most %d", n, most)
}

// field by its path in v1alpha3, or in the versions before it.
func (w classicWay) field(v1alpha3, older string) string {
	if w.version == "v1alpha3" {
		return v1alpha3
	}
	return older
}

// ours counts entries of which one at least is ours; of others the API server counts them.
func ours(config []byte) int {
	items, some := merge.ItemsOf(config), false
	for _, item := range items {
		some = some || kjson.StringOf(partGet(partGet(item, "opaque"), "driver")) == names.Domain
	}
	if !some {
		return 0
	}
	return len(items)
}
