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

// Group is Kubernetes' own API group. Another group can serve the same types.
const Group = "resource.k8s.io"

// Kinds and resources of claims and templates. Every version has both.
const (
	KindClaim    = "ResourceClaim"
	KindTemplate = "ResourceClaimTemplate"

	ResourceClaims    = "resourceclaims"
	ResourceTemplates = "resourceclaimtemplates"
)

// Version is a row of the table of versions: the properties in which versions differ.
type Version struct {
	// Name is the name of the version, such as v1alpha1.
	Name string
	// Release is the Kubernetes release whose rules validate the version by default.
	Release string
	// Since is the release that added the version. RemovedIn is the first release that doesn't serve it any more, as
	// Kubernetes announced it if that release is not published yet. It is empty if no removal is announced.
	Since, RemovedIn string
	// Stored is true for the one version in which objects are stored.
	Stored bool
	// Lossless is true if the version represents all stored data, so that no data has to be preserved in annotations.
	Lossless bool
	// Exactly is true if the fields of a device request are in its field `exactly`, and not next to its name. All
	// versions with Exactly also have the same ResourceSlice fields.
	Exactly bool
	// Devices is true if claims request devices instead of a resource class. In the releases that serve such a version,
	// an entry of a pod's resourceClaims has resourceClaimName next to name, and not in source.
	Devices bool
	// AddToScheme registers the types of the version, and their lists, in an API group.
	AddToScheme func(s *runtime.Scheme, group string) error
	// SetDefaults sets the defaults of a claim or a template of this version, as the API server of the release does when
	// it decodes one. It doesn't change other objects.
	SetDefaults func(object runtime.Object)
}

// versions is the table of versions, oldest first. Code that depends on versions iterates over it, or has its own table
// with the names of versions as keys, and a test that fails if a version is missing.
var versions = []Version{
	{
		Name: v1alpha1.GroupVersion.Version, Release: "1.26", Since: "1.26", RemovedIn: "1.27",
		AddToScheme: v1alpha1.AddGroupToScheme, SetDefaults: v1alpha1.SetDefaults,
	},
	{
		Name: v1alpha2.GroupVersion.Version, Release: "1.30", Since: "1.27", RemovedIn: "1.31",
		AddToScheme: v1alpha2.AddGroupToScheme, SetDefaults: v1alpha2.SetDefaults,
	},
	{
		Name: v1alpha3.GroupVersion.Version, Release: "1.31", Since: "1.31", RemovedIn: "1.34", Devices: true,
		AddToScheme: v1alpha3.AddGroupToScheme, SetDefaults: v1alpha3.SetDefaults,
	},
	{
		Name:        v1beta1.GroupVersion.Version,
		Release:     "1.36",
		Since:       "1.32",
		RemovedIn:   "1.38",
		Devices:     true,
		Lossless:    true,
		AddToScheme: v1beta1.AddGroupToScheme, SetDefaults: v1beta1.SetDefaults,
	},
	{
		Name:        v1beta2.GroupVersion.Version,
		Release:     "1.36",
		Since:       "1.33",
		RemovedIn:   "1.39",
		Devices:     true,
		Lossless:    true,
		Exactly:     true,
		AddToScheme: v1beta2.AddGroupToScheme, SetDefaults: v1beta2.SetDefaults,
	},
	{
		Name:        v1.GroupVersion.Version,
		Release:     "1.36",
		Since:       "1.34",
		Devices:     true,
		Lossless:    true,
		Exactly:     true,
		Stored:      true,
		AddToScheme: v1.AddGroupToScheme, SetDefaults: v1.SetDefaults,
	},
}

// Versions returns the table of versions, oldest first.
func Versions() []Version { return slices.Clone(versions) }

// Names returns the names of all versions, oldest first.
func Names() []string {
	names := make([]string, len(versions))
	for i, v := range versions {
		names[i] = v.Name
	}
	return names
}

// Stored returns the version in which objects are stored.
func Stored() Version {
	return versions[slices.IndexFunc(versions, func(v Version) bool { return v.Stored })]
}

// Find returns the version with a name such as v1beta1.
func Find(name string) (v Version, known bool) {
	at := slices.IndexFunc(versions, func(v Version) bool { return v.Name == name })
	if at < 0 {
		return Version{}, false
	}
	return versions[at], true
}

// HasDevices reports whether claims of a version request devices. It returns false for an unknown version.
func HasDevices(version string) bool {
	v, _ := Find(version)
	return v.Devices
}

// HasExactly reports whether the fields of a device request are in its field exactly. It returns false for an unknown
// version.
func HasExactly(version string) bool {
	v, _ := Find(version)
	return v.Exactly
}

// IsLossless reports whether a version represents all stored data. It returns false for an unknown version.
func IsLossless(version string) bool {
	v, _ := Find(version)
	return v.Lossless
}

// scheme has the types of all versions.
var scheme = func() *runtime.Scheme {
	s := runtime.NewScheme()
	for _, v := range versions {
		if err := v.AddToScheme(s, Group); err != nil {
			panic(err)
		}
	}
	return s
}()

// New returns a pointer to an empty claim or template of a version. Its TypeMeta is empty too. It returns nil if there
// is no such version or kind.
func New(version, kind string) runtime.Object {
	if !isKind(kind) {
		return nil
	}
	return create(version, kind)
}

// NewList returns a pointer to an empty list of claims or templates of a version. It returns nil if there is no such
// version or kind.
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

// TypeOf returns the version and kind of a claim or template by its Go type. It ignores the TypeMeta.
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
