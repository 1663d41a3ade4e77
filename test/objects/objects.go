package objects

import (
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// Group of the objects.
const Group = "resource.k8s.io"

// Object returns a random object of a version and kind. It is valid by the rules of the release that the version is
// from. Fields that were added later are valid by the rules of the release that added them.
func (s Source) Object(version, kind string) runtime.Object {
	var u untyped
	switch {
	case kind == api.KindTemplate:
		u = untyped{
			ObjectMeta: s.objectMeta(),
			Spec:       untyped{ObjectMeta: s.templateMeta(), Spec: s.specOf(version)},
		}
	case version == "v1alpha1":
		u = untyped{ObjectMeta: s.objectMeta(), Spec: s.classicSpec(), Status: s.V1alpha1Status()}
	case version == "v1alpha2":
		u = untyped{ObjectMeta: s.objectMeta(), Spec: s.classicSpec(), Status: s.V1alpha2Status()}
	case version == "v1alpha3":
		spec := s.v1alpha3Spec()
		u = untyped{ObjectMeta: s.objectMeta(), Spec: spec, Status: s.V1alpha3Status(spec)}
	default: // the status has the fields of v1
		spec := s.spec()
		u = untyped{ObjectMeta: s.objectMeta(), Spec: inVersion(version, spec), Status: s.V1Status(spec)}
	}
	return u.typed(version, kind)
}

// specOf returns a random spec of a version. Its type has the field names of the version.
func (s Source) specOf(version string) any {
	switch version {
	case "v1alpha1", "v1alpha2":
		return s.classicSpec()
	case "v1alpha3":
		return s.v1alpha3Spec()
	}
	return inVersion(version, s.spec())
}

// inVersion returns a spec of v1 as a type that has the field names of v1beta1, v1beta2 or v1.
func inVersion(version string, spec v1.ResourceClaimSpec) any {
	if api.HasExactly(version) {
		return spec
	}
	return toV1beta1(spec)
}

// untyped is an object, or the spec of a template, with a spec and status of any version.
type untyped struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec, Status any
}

// typed returns the object with the types of a version.
func (u untyped) typed(version, kind string) runtime.Object {
	object := api.New(version, kind)
	if object == nil {
		panic("objects: no " + kind + " in " + version)
	}
	u.TypeMeta = metav1.TypeMeta{APIVersion: Group + "/" + version, Kind: kind}
	copyByName(reflect.ValueOf(object).Elem(), reflect.ValueOf(u))
	return object
}
