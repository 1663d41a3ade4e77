package lens

import (
	"maps"
	"reflect"

	v1 "k8s.io/api/resource/v1"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/conversion/internal/merge"
)

// Kinds that package api, which has claims and templates, does not name.
const (
	kindClass = "DeviceClass"
	kindSlice = "ResourceSlice"
)

// shapesOf a kind: what a write to the main resource and one to /status reach, in later versions and in the classic ones, where
// nothing is known of what is inside a spec or an allocation that changes.
type shapesOf struct{ main, status, classicMain, classicStatus *merge.Shape }

var shapes = map[string]shapesOf{
	api.KindClaim: {
		main:          merge.ShapeOf(reflect.TypeFor[v1.ResourceClaim]()).Reaching(mainReach),
		status:        merge.ShapeOf(reflect.TypeFor[v1.ResourceClaim]()).Reaching(statusReach),
		classicMain:   merge.ShapeOf(reflect.TypeFor[v1.ResourceClaim]()).Reaching(also(mainReach, "spec")),
		classicStatus: merge.ShapeOf(reflect.TypeFor[v1.ResourceClaim]()).Reaching(also(statusReach, "status.allocation")),
	},
	api.KindTemplate: {
		main:        merge.ShapeOf(reflect.TypeFor[v1.ResourceClaimTemplate]()).Reaching(mainReach),
		classicMain: merge.ShapeOf(reflect.TypeFor[v1.ResourceClaimTemplate]()).Reaching(also(mainReach, "spec.spec")),
	},
	kindClass: {main: merge.ShapeOf(reflect.TypeFor[v1.DeviceClass]()).Reaching(mainReach)},
	kindSlice: {main: merge.ShapeOf(reflect.TypeFor[v1.ResourceSlice]()).Reaching(mainReach)},
}

// mainReach of a write to the main resource. What kept names an API server takes from the stored object where a write leaves it
// out, or refuses where it is another one.
var mainReach = map[string]merge.Reach{
	"apiVersion": merge.Closed, "kind": merge.Closed, "status": merge.Closed,
	"metadata.name": merge.Kept, "metadata.namespace": merge.Kept, "metadata.uid": merge.Kept, "metadata.resourceVersion": merge.Kept,
	"metadata.creationTimestamp": merge.Kept, "metadata.generation": merge.Kept, "metadata.selfLink": merge.Kept,
	"metadata.deletionTimestamp": merge.Kept, "metadata.deletionGracePeriodSeconds": merge.Kept, "metadata.managedFields": merge.Kept,
}

// statusReach of a write to /status: of the metadata only what says which object is meant, and who changed what.
var statusReach = map[string]merge.Reach{
	"apiVersion": merge.Closed, "kind": merge.Closed, "spec": merge.Closed,
	"metadata.*": merge.Closed, "metadata.name": merge.Kept, "metadata.namespace": merge.Kept, "metadata.uid": merge.Kept,
	"metadata.resourceVersion": merge.Kept, "metadata.managedFields": merge.Kept,
}

// also changes a part as a whole.
func also(reaches map[string]merge.Reach, path string) map[string]merge.Reach {
	more := maps.Clone(reaches)
	more[path] = merge.Whole
	return more
}
