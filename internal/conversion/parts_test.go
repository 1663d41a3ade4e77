package conversion

import (
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api"
)

// part returns a part of an object by the names of its fields, or nil if its version does not have them.
func part[T any](o runtime.Object, path ...string) (p *T) {
	at := reflect.ValueOf(o).Elem()
	for _, name := range path {
		if at = at.FieldByName(name); !at.IsValid() {
			return nil
		}
	}
	p, _ = at.Addr().Interface().(*T)
	return p
}

// withDefaults sets the defaults of the API server of the version's release, which package api tests, and returns the
// object. Opaque parameters keep their bytes.
func withDefaults(o runtime.Object) runtime.Object {
	version, _, _ := api.TypeOf(o)
	row, _ := api.Find(version)
	row.SetDefaults(o)
	return o
}

// removePreservedField clears status.claimbridgeLeftover, as a typed client does that does not know the field.
func removePreservedField(o runtime.Object) {
	if field := preservedField(o); field != nil {
		*field = ""
	}
}

// preservedField returns status.claimbridgeLeftover of a claim, or nil.
func preservedField(o runtime.Object) *string {
	return part[string](o, "Status", "ClaimbridgeLeftover")
}

// removeDeallocationRequest removes the request for deallocation.
func removeDeallocationRequest(o runtime.Object) {
	for _, name := range []string{"DeallocationRequested", "ClaimbridgeDeallocationRequested"} {
		if requested := part[bool](o, "Status", name); requested != nil {
			*requested = false
		}
	}
}

// removeStatus removes the status, as in a create or a deallocation.
func removeStatus(o runtime.Object) {
	if status := reflect.ValueOf(o).Elem().FieldByName("Status"); status.IsValid() {
		status.SetZero()
	}
}
