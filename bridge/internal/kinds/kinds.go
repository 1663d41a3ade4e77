// Package kinds is the table of what a bridge answers for: kinds of objects, the versions that have
// them, and upstream's types of them.
package kinds

import (
	"slices"

	v1 "k8s.io/api/resource/v1"
	"k8s.io/api/resource/v1beta1"
	"k8s.io/api/resource/v1beta2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"github.com/claimbridge/claimbridge/api"
)

// Kind of objects.
type Kind struct {
	Kind, Resource, Singular string

	Namespaced bool
	Status     bool // has the subresource status
	// Viewed in alpha versions as well.
	Viewed bool
}

var kinds = []Kind{
	{Kind: "DeviceClass", Resource: "deviceclasses", Singular: "deviceclass"},
	{
		Kind: api.KindClaim, Resource: api.ResourceClaims, Singular: "resourceclaim", Namespaced: true,
		Status: true, Viewed: true,
	},
	{
		Kind: api.KindTemplate, Resource: api.ResourceTemplates, Singular: "resourceclaimtemplate",
		Namespaced: true, Viewed: true,
	},
	{Kind: "ResourceSlice", Resource: "resourceslices", Singular: "resourceslice"},
}

// Whole versions say all that others of them do, of all kinds, the newest first. Of one without
// types in [Scheme] nothing is known.
var Whole = newestFirst(func(v api.Version) bool {
	return v.Native && Scheme.IsVersionRegistered(schema.GroupVersion{Group: api.Group, Version: v.Name})
})

// Views are versions that v1 can be looked at in, the newest first.
var Views = newestFirst(func(v api.Version) bool { return !v.Native })

func newestFirst(bridged func(api.Version) bool) (names []string) {
	for _, v := range api.Versions() {
		if bridged(v) {
			names = slices.Insert(names, 0, v.Name)
		}
	}
	return names
}

// Of a version, in the order of their resources.
func Of(version string) []Kind {
	switch {
	case slices.Contains(Whole, version):
		return kinds
	case slices.Contains(Views, version):
		return slices.DeleteFunc(slices.Clone(kinds), func(k Kind) bool { return !k.Viewed })
	}
	return nil
}

// Lookup the kind of a resource.
func Lookup(version, resource string) (Kind, bool) {
	for _, k := range Of(version) {
		if k.Resource == resource {
			return k, true
		}
	}
	return Kind{}, false
}

// Verbs of a version.
func Verbs(version string) []string {
	if slices.Contains(Views, version) {
		return []string{"get", "list", "watch"}
	}
	return []string{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}
}

// Scheme of upstream's types of the whole versions.
var Scheme = newScheme()

func newScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	utilruntime.Must(v1.AddToScheme(scheme))
	utilruntime.Must(v1beta2.AddToScheme(scheme))
	utilruntime.Must(v1beta1.AddToScheme(scheme))
	unversioned := schema.GroupVersion{Version: "v1"}
	metav1.AddToGroupVersion(scheme, unversioned)
	scheme.AddUnversionedTypes(unversioned, &metav1.Status{})
	return scheme
}
