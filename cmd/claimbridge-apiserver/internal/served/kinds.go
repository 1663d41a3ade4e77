// Package served is the table of what the server has: the old versions of resource.k8s.io and the kinds of each. Discovery, OpenAPI and the
// requests themselves read it.
package served

import (
	"slices"

	"k8s.io/api/resource/v1beta1"
	"k8s.io/api/resource/v1beta2"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

// Stored is the version that the cluster serves itself, in which everything is stored.
const Stored = "v1"

// Kind of objects of one version.
type Kind struct {
	Version  string // such as v1beta1
	Kind     string // such as ResourceClaim
	Resource string // such as resourceclaims
	Singular string // such as resourceclaim

	Namespaced bool
	Status     bool // has the subresource status

	// New and NewList give pointers to empty values of the Go types. The types of v1beta1 and v1beta2 are upstream's, which have readers of
	// protobuf and say since when they are deprecated; those of the alpha versions are in package api, as no library of today has them.
	New, NewList func() runtime.Object
}

// GroupVersionKind of an object.
func (k Kind) GroupVersionKind() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: api.Group, Version: k.Version, Kind: k.Kind}
}

// GroupResource of an object, as errors name it.
func (k Kind) GroupResource() schema.GroupResource {
	return schema.GroupResource{Group: api.Group, Resource: k.Resource}
}

// Names of kinds, as in package api, and those that versions have since 1.32.
const (
	deviceClass   = "DeviceClass"
	resourceSlice = "ResourceSlice"
)

var kinds = []Kind{
	claims("v1beta2", of[v1beta2.ResourceClaim], of[v1beta2.ResourceClaimList]),
	templates("v1beta2", of[v1beta2.ResourceClaimTemplate], of[v1beta2.ResourceClaimTemplateList]),
	classes("v1beta2", of[v1beta2.DeviceClass], of[v1beta2.DeviceClassList]),
	slicesOf("v1beta2", of[v1beta2.ResourceSlice], of[v1beta2.ResourceSliceList]),

	claims("v1beta1", of[v1beta1.ResourceClaim], of[v1beta1.ResourceClaimList]),
	templates("v1beta1", of[v1beta1.ResourceClaimTemplate], of[v1beta1.ResourceClaimTemplateList]),
	classes("v1beta1", of[v1beta1.DeviceClass], of[v1beta1.DeviceClassList]),
	slicesOf("v1beta1", of[v1beta1.ResourceSlice], of[v1beta1.ResourceSliceList]),

	claims("v1alpha3", of[v1alpha3.ResourceClaim], of[v1alpha3.ResourceClaimList]),
	templates("v1alpha3", of[v1alpha3.ResourceClaimTemplate], of[v1alpha3.ResourceClaimTemplateList]),

	claims("v1alpha2", of[v1alpha2.ResourceClaim], of[v1alpha2.ResourceClaimList]),
	templates("v1alpha2", of[v1alpha2.ResourceClaimTemplate], of[v1alpha2.ResourceClaimTemplateList]),

	claims("v1alpha1", of[v1alpha1.ResourceClaim], of[v1alpha1.ResourceClaimList]),
	templates("v1alpha1", of[v1alpha1.ResourceClaimTemplate], of[v1alpha1.ResourceClaimTemplateList]),
}

// of gives an empty value of a type.
func of[T any, P interface {
	*T
	runtime.Object
}]() runtime.Object {
	return P(new(T))
}

func claims(version string, object, list func() runtime.Object) Kind {
	return Kind{
		Version: version, Kind: api.KindClaim, Resource: api.ResourceClaims, Singular: "resourceclaim",
		Namespaced: true, Status: true, New: object, NewList: list,
	}
}

func templates(version string, object, list func() runtime.Object) Kind {
	return Kind{
		Version: version, Kind: api.KindTemplate, Resource: api.ResourceTemplates, Singular: "resourceclaimtemplate",
		Namespaced: true, New: object, NewList: list,
	}
}

func classes(version string, object, list func() runtime.Object) Kind {
	return Kind{Version: version, Kind: deviceClass, Resource: "deviceclasses", Singular: "deviceclass", New: object, NewList: list}
}

func slicesOf(version string, object, list func() runtime.Object) Kind {
	return Kind{Version: version, Kind: resourceSlice, Resource: "resourceslices", Singular: "resourceslice", New: object, NewList: list}
}

// Versions that can be served, newest first: the order of preference of their group.
func Versions() []string {
	var versions []string
	for _, k := range kinds {
		if !slices.Contains(versions, k.Version) {
			versions = append(versions, k.Version)
		}
	}
	return versions
}

// Kinds of a version; none when there is no such version.
func Kinds(version string) []Kind {
	var found []Kind
	for _, k := range kinds {
		if k.Version == version {
			found = append(found, k)
		}
	}
	return found
}

// Lookup the kind of a resource. Whether its version is among those that a server was told to serve is for the server to know.
func Lookup(version, resource string) (Kind, bool) {
	for _, k := range kinds { // fourteen rows, less than hashing a key
		if k.Version == version && k.Resource == resource {
			return k, true
		}
	}
	return Kind{}, false
}
