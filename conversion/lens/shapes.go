package lens

import (
	"maps"
	"reflect"

	v1 "k8s.io/api/resource/v1"

	"github.com/claimbridge/claimbridge/api"
)

// Kinds that package api, which has claims and templates, does not name.
const (
	kindClass = "DeviceClass"
	kindSlice = "ResourceSlice"
)

// shapesOf a kind: what a write to the main resource and one to /status reach, in later versions and in the classic ones, where
// nothing is known of what is inside a spec or an allocation that changes.
type shapesOf struct{ main, status, classicMain, classicStatus *shape }

var shapes = map[string]shapesOf{
	api.KindClaim: {
		main:          shapeOf(reflect.TypeFor[v1.ResourceClaim]()).reaching(mainReach),
		status:        shapeOf(reflect.TypeFor[v1.ResourceClaim]()).reaching(statusReach),
		classicMain:   shapeOf(reflect.TypeFor[v1.ResourceClaim]()).reaching(also(mainReach, "spec")),
		classicStatus: shapeOf(reflect.TypeFor[v1.ResourceClaim]()).reaching(also(statusReach, "status.allocation")),
	},
	api.KindTemplate: {
		main:        shapeOf(reflect.TypeFor[v1.ResourceClaimTemplate]()).reaching(mainReach),
		classicMain: shapeOf(reflect.TypeFor[v1.ResourceClaimTemplate]()).reaching(also(mainReach, "spec.spec")),
	},
	kindClass: {main: shapeOf(reflect.TypeFor[v1.DeviceClass]()).reaching(mainReach)},
	kindSlice: {main: shapeOf(reflect.TypeFor[v1.ResourceSlice]()).reaching(mainReach)},
}

// mainReach of a write to the main resource. What kept names an API server takes from the stored object where a write leaves it
// out, or refuses where it is another one.
var mainReach = map[string]reach{
	"apiVersion": closed, "kind": closed, "status": closed,
	"metadata.name": kept, "metadata.namespace": kept, "metadata.uid": kept, "metadata.resourceVersion": kept,
	"metadata.creationTimestamp": kept, "metadata.generation": kept, "metadata.selfLink": kept,
	"metadata.deletionTimestamp": kept, "metadata.deletionGracePeriodSeconds": kept, "metadata.managedFields": kept,
}

// statusReach of a write to /status: of the metadata only what says which object is meant, and who changed what.
var statusReach = map[string]reach{
	"apiVersion": closed, "kind": closed, "spec": closed,
	"metadata.*": closed, "metadata.name": kept, "metadata.namespace": kept, "metadata.uid": kept,
	"metadata.resourceVersion": kept, "metadata.managedFields": kept,
}

// also changes a part as a whole.
func also(reaches map[string]reach, path string) map[string]reach {
	more := maps.Clone(reaches)
	more[path] = whole
	return more
}
