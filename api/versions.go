package api

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/api/v1beta1"
	"github.com/claimbridge/claimbridge/api/v1beta2"
)

// Group of upstream's API. The same types may be served under another one.
const Group = "resource.k8s.io"

// Kinds of objects and the resources by which they are served. Every version has both.
const (
	KindClaim    = "ResourceClaim"
	KindTemplate = "ResourceClaimTemplate"

	ResourceClaims    = "resourceclaims"
	ResourceTemplates = "resourceclaimtemplates"
)

// Version is a row of the table of versions: what differs from one to the next, and code that knows no version needs.
type Version struct {
	// Name, such as v1alpha1.
	Name string
	// Release of Kubernetes whose rules the version has here, unless another one is asked for.
	Release string
	// Since is the release that came with it, and Gone the one that does not serve it any more, by
	// what Kubernetes announced where that is still to come; empty when there is none.
	Since, Gone string
	// Stored is set of the one version in which objects are stored.
	Stored bool
	// Native says that all that is stored can be seen in the version: nothing travels beside its objects.
	Native bool
	// Exactly says that what a request asks for stands in its exactly, and not beside its name.
	// ResourceSlices of these versions have one shape, too.
	Exactly bool
	// Devices says that claims ask for devices, and not for a class, and that pods of its release
	// name them beside the name and not below source.
	Devices bool
	// AddToScheme registers the types, and those of lists, under a group.
	AddToScheme func(s *runtime.Scheme, group string) error
	// SetDefaults completes a claim or a template of this version as the API server of the release did when it decoded
	// one. It leaves other objects alone.
	SetDefaults func(object runtime.Object)
}

// versions, oldest first. Whatever has to know of versions ranges over them, or is a table of its own with their names
// for keys, and a test that fails when one is missing.
var versions = []Version{
	{
		Name: v1alpha1.GroupVersion.Version, Release: "1.26", Since: "1.26", Gone: "1.27",
		AddToScheme: v1alpha1.AddGroupToScheme, SetDefaults: v1alpha1.SetDefaults,
	},
	{
		Name: v1alpha2.GroupVersion.Version, Release: "1.30", Since: "1.27", Gone: "1.31",
		AddToScheme: v1alpha2.AddGroupToScheme, SetDefaults: v1alpha2.SetDefaults,
	},
	{
		Name: v1alpha3.GroupVersion.Version, Release: "1.31", Since: "1.31", Gone: "1.34", Devices: true,
		AddToScheme: v1alpha3.AddGroupToScheme, SetDefaults: v1alpha3.SetDefaults,
	},
	{
		Name: v1beta1.GroupVersion.Version, Release: "1.36", Since: "1.32", Gone: "1.38", Devices: true, Native: true,
		AddToScheme: v1beta1.AddGroupToScheme, SetDefaults: v1beta1.SetDefaults,
	},
	{
		Name:        v1beta2.GroupVersion.Version,
		Release:     "1.36",
		Since:       "1.33",
		Gone:        "1.39",
		Devices:     true,
		Native:      true,
		Exactly:     true,
		AddToScheme: v1beta2.AddGroupToScheme, SetDefaults: v1beta2.SetDefaults,
	},
	{
		Name:        v1.GroupVersion.Version,
		Release:     "1.36",
		Since:       "1.34",
		Devices:     true,
		Native:      true,
		Exactly:     true,
		Stored:      true,
		AddToScheme: v1.AddGroupToScheme, SetDefaults: v1.SetDefaults,
	},
}

// Versions are all there are, oldest first.
func Versions() []Version { return slices.Clone(versions) }

// Names of the versions, oldest first.
func Names() []string {
	names := make([]string, len(versions))
	for i, v := range versions {
		names[i] = v.Name
	}
	return names
}

// Stored is the version in which objects are stored.
func Stored() Version {
	return versions[slices.IndexFunc(versions, func(v Version) bool { return v.Stored })]
}

// Find the version of a name.
func Find(name string) (v Version, known bool) {
	at := slices.IndexFunc(versions, func(v Version) bool { return v.Name == name })
	if at < 0 {
		return Version{}, false
	}
	return versions[at], true
}

// HasDevices tells whether claims of a version ask for devices. A version that is not known has none.
func HasDevices(version string) bool {
	v, _ := Find(version)
	return v.Devices
}

// HasExactly tells whether what a request asks for stands in its exactly. In a version that is not known it does not.
func HasExactly(version string) bool {
	v, _ := Find(version)
	return v.Exactly
}

// IsNative tells whether all that is stored can be seen in a version.
func IsNative(version string) bool {
	v, _ := Find(version)
	return v.Native
}

// scheme knows the types of all versions.
var scheme = func() *runtime.Scheme {
	s := runtime.NewScheme()
	for _, v := range versions {
		if err := v.AddToScheme(s, Group); err != nil {
			panic(err)
		}
	}
	return s
}()

// New gives a pointer to an empty claim or template of a version, its TypeMeta empty too; nil when there is no such
// version or kind.
func New(version, kind string) runtime.Object {
	if !isKind(kind) {
		return nil
	}
	return create(version, kind)
}

// NewList gives a pointer to an empty list of claims or templates of a version; nil when there is no such version or
// kind.
func NewList(version, kind string) runtime.Object {
	if !isKind(kind) {
		return nil
	}
	return create(version, kind+"List")
}

func create(version, kind string) runtime.Object {
	object, err := scheme.New(schema.GroupVersionKind{Group: Group, Version: version, Kind: kind})
	if err != nil {
		return nil
	}
	return object
}

// TypeOf gives the version and kind of a typed claim or template: by its type, and not by what its TypeMeta says.
func TypeOf(object runtime.Object) (version, kind string, known bool) {
	if _, untyped := object.(runtime.Unstructured); untyped || object == nil {
		return "", "", false
	}
	kinds, _, err := scheme.ObjectKinds(object)
	if err != nil || !isKind(kinds[0].Kind) {
		return "", "", false
	}
	return kinds[0].Version, kinds[0].Kind, true
}

func isKind(kind string) bool { return kind == KindClaim || kind == KindTemplate }
