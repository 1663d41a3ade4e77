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

// normal sets the defaults of the API server of the version's release, which package api tests. Opaque parameters keep
// their bytes. A field of claimbridge without preserved data is removed.
func normal(o runtime.Object) runtime.Object {
	version, _, _ := api.TypeOf(o)
	row, _ := api.Find(version)
	row.SetDefaults(o)
	return withoutEmptyField(o)
}

func withoutEmptyField(o runtime.Object) runtime.Object {
	if field := leftoverOf(o); field != nil && *field == "{}" {
		*field = ""
	}
	return o
}

func withoutField(o runtime.Object) runtime.Object {
	if field := leftoverOf(o); field != nil {
		*field = ""
	}
	return o
}

// leftoverOf returns claimbridge's field in the status of a claim, or nil.
func leftoverOf(o runtime.Object) *string { return part[string](o, "Status", "ClaimbridgeLeftover") }

// withoutRequest removes the request for deallocation.
func withoutRequest(o runtime.Object) {
	for _, name := range []string{"DeallocationRequested", "ClaimbridgeDeallocationRequested"} {
		if requested := part[bool](o, "Status", name); requested != nil {
			*requested = false
		}
	}
}

// withoutStatus removes the status, as in a create or a deallocation.
func withoutStatus(o runtime.Object) {
	if status := reflect.ValueOf(o).Elem().FieldByName("Status"); status.IsValid() {
		status.SetZero()
	}
}
