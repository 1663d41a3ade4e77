package objects

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

// Group of the objects.
const Group = "resource.k8s.io"

// Object is a random object of a version and kind, valid by the rules of the version's release.
func (s Source) Object(version, kind string) runtime.Object {
	tm := metav1.TypeMeta{APIVersion: Group + "/" + version, Kind: kind}
	switch version + kind {
	case "v1alpha1ResourceClaim":
		return &v1alpha1.ResourceClaim{TypeMeta: tm, ObjectMeta: s.meta(), Spec: toV1alpha1(s.classicSpec()), Status: s.V1alpha1Status()}
	case "v1alpha1ResourceClaimTemplate":
		return &v1alpha1.ResourceClaimTemplate{TypeMeta: tm, ObjectMeta: s.meta(),
			Spec: v1alpha1.ResourceClaimTemplateSpec{ObjectMeta: s.templateMeta(), Spec: toV1alpha1(s.classicSpec())}}
	case "v1alpha2ResourceClaim":
		return &v1alpha2.ResourceClaim{TypeMeta: tm, ObjectMeta: s.meta(), Spec: s.classicSpec(), Status: s.V1alpha2Status()}
	case "v1alpha2ResourceClaimTemplate":
		return &v1alpha2.ResourceClaimTemplate{TypeMeta: tm, ObjectMeta: s.meta(),
			Spec: v1alpha2.ResourceClaimTemplateSpec{ObjectMeta: s.templateMeta(), Spec: s.classicSpec()}}
	case "v1alpha3ResourceClaim":
		spec := s.structuredSpec()
		return &v1alpha3.ResourceClaim{TypeMeta: tm, ObjectMeta: s.meta(), Spec: spec, Status: s.V1alpha3Status(spec)}
	case "v1alpha3ResourceClaimTemplate":
		return &v1alpha3.ResourceClaimTemplate{TypeMeta: tm, ObjectMeta: s.meta(),
			Spec: v1alpha3.ResourceClaimTemplateSpec{ObjectMeta: s.templateMeta(), Spec: s.structuredSpec()}}
	}
	panic(fmt.Sprintf("objects: no generator for %s %s", version, kind))
}

func toV1alpha1(s v1alpha2.ResourceClaimSpec) v1alpha1.ResourceClaimSpec {
	return v1alpha1.ResourceClaimSpec{
		ResourceClassName: s.ResourceClassName,
		ParametersRef:     (*v1alpha1.ResourceClaimParametersReference)(s.ParametersRef),
		AllocationMode:    v1alpha1.AllocationMode(s.AllocationMode),
	}
}
