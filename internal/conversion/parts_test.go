package conversion

import (
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api"
)

// part of an object by the names of its fields, where its version has them and it is of this type; nil for others.
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

// normal sets the defaults of the API server of the version's release, which package api holds
// against tables. Opaque parameters stay byte for byte. A field of claimbridge that says that nothing is
// left over says nothing.
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

// leftoverOf is our field in the status of a claim; nil where there is none.
func leftoverOf(o runtime.Object) *string { return part[string](o, "Status", "ClaimbridgeLeftover") }

// withoutRequest takes back the request to deallocate.
func withoutRequest(o runtime.Object) {
	for _, name := range []string{"DeallocationRequested", "ClaimbridgeDeallocationRequested"} {
		if requested := part[bool](o, "Status", name); requested != nil {
			*requested = false
		}
	}
}

// withoutStatus is what a create brings, or one who deallocates.
func withoutStatus(o runtime.Object) {
	if status := reflect.ValueOf(o).Elem().FieldByName("Status"); status.IsValid() {
		status.SetZero()
	}
}
