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

// Object is a random object of a version and kind, valid by the rules of the version's release, and
// in what the release did not have by those of the first that did.
func (s Source) Object(version, kind string) runtime.Object {
	var w whole
	switch {
	case kind == api.KindTemplate:
		w = whole{ObjectMeta: s.meta(), Spec: whole{ObjectMeta: s.templateMeta(), Spec: s.specOf(version)}}
	case version == "v1alpha1":
		w = whole{ObjectMeta: s.meta(), Spec: s.classicSpec(), Status: s.V1alpha1Status()}
	case version == "v1alpha2":
		w = whole{ObjectMeta: s.meta(), Spec: s.classicSpec(), Status: s.V1alpha2Status()}
	case version == "v1alpha3":
		spec := s.v1alpha3Spec()
		w = whole{ObjectMeta: s.meta(), Spec: spec, Status: s.V1alpha3Status(spec)}
	default: // whose status has the types of v1
		spec := s.spec()
		w = whole{ObjectMeta: s.meta(), Spec: inVersion(version, spec), Status: s.V1Status(spec)}
	}
	return w.object(version, kind)
}

// specOf a version, in types that name all as those of the version do.
func (s Source) specOf(version string) any {
	switch version {
	case "v1alpha1", "v1alpha2":
		return s.classicSpec()
	case "v1alpha3":
		return s.v1alpha3Spec()
	}
	return inVersion(version, s.spec())
}

func inVersion(version string, spec v1.ResourceClaimSpec) any {
	if api.HasExactly(version) {
		return spec
	}
	return toV1beta1(spec)
}

// whole object, or spec of a template.
type whole struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec, Status any
}

// object with the types of a version.
func (w whole) object(version, kind string) runtime.Object {
	o := api.New(version, kind)
	if o == nil {
		panic("objects: there is no " + kind + " of " + version)
	}
	w.TypeMeta = metav1.TypeMeta{APIVersion: Group + "/" + version, Kind: kind}
	put(reflect.ValueOf(o).Elem(), reflect.ValueOf(w))
	return o
}
