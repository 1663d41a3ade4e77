package objects

import (
	"fmt"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/api/v1beta1"
)

// Group of the objects.
const Group = "resource.k8s.io"

// Object is a random object of a version and kind, valid by the rules of the version's release, and in what the release did
// not have by those of the first that did.
func (s Source) Object(version, kind string) runtime.Object {
	tm := metav1.TypeMeta{APIVersion: Group + "/" + version, Kind: kind}
	switch version + kind {
	case "v1alpha1ResourceClaim":
		return &v1alpha1.ResourceClaim{TypeMeta: tm, ObjectMeta: s.meta(), Spec: s.classicSpec(), Status: s.V1alpha1Status()}
	case "v1alpha1ResourceClaimTemplate":
		return &v1alpha1.ResourceClaimTemplate{TypeMeta: tm, ObjectMeta: s.meta(),
			Spec: v1alpha1.ResourceClaimTemplateSpec{ObjectMeta: s.templateMeta(), Spec: s.classicSpec()}}
	case "v1alpha2ResourceClaim":
		return &v1alpha2.ResourceClaim{TypeMeta: tm, ObjectMeta: s.meta(), Spec: s.classicSpec(), Status: s.V1alpha2Status()}
	case "v1alpha2ResourceClaimTemplate":
		return &v1alpha2.ResourceClaimTemplate{TypeMeta: tm, ObjectMeta: s.meta(),
			Spec: v1alpha2.ResourceClaimTemplateSpec{ObjectMeta: s.templateMeta(), Spec: s.classicSpec()}}
	case "v1alpha3ResourceClaim":
		spec := s.v1alpha3Spec()
		return &v1alpha3.ResourceClaim{TypeMeta: tm, ObjectMeta: s.meta(), Spec: spec, Status: s.V1alpha3Status(spec)}
	case "v1alpha3ResourceClaimTemplate":
		return &v1alpha3.ResourceClaimTemplate{TypeMeta: tm, ObjectMeta: s.meta(),
			Spec: v1alpha3.ResourceClaimTemplateSpec{ObjectMeta: s.templateMeta(), Spec: s.v1alpha3Spec()}}
	case "v1beta1ResourceClaim":
		spec := toV1beta1(s.spec())
		return &v1beta1.ResourceClaim{TypeMeta: tm, ObjectMeta: s.meta(), Spec: spec, Status: s.V1beta1Status(spec)}
	case "v1beta1ResourceClaimTemplate":
		return &v1beta1.ResourceClaimTemplate{TypeMeta: tm, ObjectMeta: s.meta(),
			Spec: v1beta1.ResourceClaimTemplateSpec{ObjectMeta: s.templateMeta(), Spec: toV1beta1(s.spec())}}
	}
	if o := api.New(version, kind); o != nil && api.HasExactly(version) { // whose types are those of v1
		return s.likeV1(o, tm)
	}
	panic(fmt.Sprintf("objects: no generator for %s %s", version, kind))
}

// likeV1 fills an object of a version in which all has the types of v1.
func (s Source) likeV1(o runtime.Object, tm metav1.TypeMeta) runtime.Object {
	if tm.Kind == api.KindTemplate {
		meta := s.meta()
		return filled(o, map[string]any{"TypeMeta": tm, "ObjectMeta": meta, "Spec": v1.ResourceClaimTemplateSpec{ObjectMeta: s.templateMeta(), Spec: s.spec()}})
	}
	spec, meta := s.spec(), s.meta()
	return filled(o, map[string]any{"TypeMeta": tm, "ObjectMeta": meta, "Spec": spec, "Status": s.V1Status(spec)})
}

func filled(o runtime.Object, fields map[string]any) runtime.Object {
	for name, value := range fields {
		reflect.ValueOf(o).Elem().FieldByName(name).Set(reflect.ValueOf(value))
	}
	return o
}
