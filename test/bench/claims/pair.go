package claims

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/api/v1beta1"
	"github.com/claimbridge/claimbridge/api/v1beta2"
)

// Object of a version, a claim or a template, with something that other versions cannot say or without.
func Object(version, kind string, leftovers bool, growth int) runtime.Object {
	switch version + " " + kind {
	case "v1alpha1 claim":
		return oldest(leftovers, growth)
	case "v1alpha1 template":
		claim := oldest(leftovers, 0)
		return &v1alpha1.ResourceClaimTemplate{TypeMeta: template(claim.TypeMeta), ObjectMeta: claim.ObjectMeta,
			Spec: v1alpha1.ResourceClaimTemplateSpec{ObjectMeta: annotated(growth), Spec: claim.Spec}}
	case "v1alpha2 claim":
		return classic(leftovers, growth)
	case "v1alpha2 template":
		claim := classic(leftovers, 0)
		return &v1alpha2.ResourceClaimTemplate{TypeMeta: template(claim.TypeMeta), ObjectMeta: claim.ObjectMeta,
			Spec: v1alpha2.ResourceClaimTemplateSpec{ObjectMeta: annotated(growth), Spec: claim.Spec}}
	case "v1alpha3 claim":
		return structured(leftovers, growth)
	case "v1alpha3 template":
		claim := structured(leftovers, 0)
		return &v1alpha3.ResourceClaimTemplate{TypeMeta: template(claim.TypeMeta), ObjectMeta: claim.ObjectMeta,
			Spec: v1alpha3.ResourceClaimTemplateSpec{ObjectMeta: annotated(growth), Spec: claim.Spec}}
	case "v1beta1 claim":
		return inV1beta1(current(leftovers, growth))
	case "v1beta1 template":
		claim := inV1beta1(current(leftovers, 0))
		return &v1beta1.ResourceClaimTemplate{TypeMeta: template(claim.TypeMeta), ObjectMeta: claim.ObjectMeta,
			Spec: v1beta1.ResourceClaimTemplateSpec{ObjectMeta: annotated(growth), Spec: claim.Spec}}
	case "v1beta2 claim":
		return inV1beta2(current(leftovers, growth))
	case "v1beta2 template":
		claim := inV1beta2(current(leftovers, 0))
		return &v1beta2.ResourceClaimTemplate{TypeMeta: template(claim.TypeMeta), ObjectMeta: claim.ObjectMeta,
			Spec: v1beta2.ResourceClaimTemplateSpec{ObjectMeta: annotated(growth), Spec: claim.Spec}}
	case "v1 claim":
		return current(leftovers, growth)
	case "v1 template":
		claim := current(leftovers, 0)
		return &v1.ResourceClaimTemplate{TypeMeta: template(claim.TypeMeta), ObjectMeta: claim.ObjectMeta,
			Spec: v1.ResourceClaimTemplateSpec{ObjectMeta: annotated(growth), Spec: claim.Spec}}
	}
	panic("claims: no " + kind + " of " + version)
}

func template(claim metav1.TypeMeta) metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: claim.APIVersion, Kind: "ResourceClaimTemplate"}
}

func annotated(growth int) metav1.ObjectMeta {
	return metav1.ObjectMeta{Annotations: map[string]string{"example.com/note": text(0, 0, growth)}}
}

func oldest(leftovers bool, growth int) *v1alpha1.ResourceClaim {
	claim := classic(leftovers, 0)
	old := &v1alpha1.ResourceClaim{
		TypeMeta:   metav1.TypeMeta{APIVersion: Group + "/v1alpha1", Kind: "ResourceClaim"},
		ObjectMeta: metadata(0, "v1alpha1"),
		Spec: v1alpha1.ResourceClaimSpec{
			ResourceClassName: claim.Spec.ResourceClassName, AllocationMode: v1alpha1.AllocationMode(claim.Spec.AllocationMode),
			ParametersRef: (*v1alpha1.ResourceClaimParametersReference)(claim.Spec.ParametersRef),
		},
	}
	old.Status.DriverName = claim.Status.DriverName
	old.Status.Allocation = &v1alpha1.AllocationResult{ResourceHandle: data(0, 0, growth), AvailableOnNodes: nodes(0), Shareable: claim.Status.Allocation.Shareable}
	for _, c := range claim.Status.ReservedFor {
		old.Status.ReservedFor = append(old.Status.ReservedFor, v1alpha1.ResourceClaimConsumerReference(c))
	}
	return old
}

func classic(leftovers bool, growth int) *v1alpha2.ResourceClaim {
	claim := Classic(0, growth)
	if leftovers {
		claim.Status.Allocation.Shareable = false // which v1alpha3 cannot say, as it cannot say the parameters of the claim
		return claim
	}
	claim.Spec.ParametersRef = nil
	claim.Status.Allocation.ResourceHandles = []v1alpha2.ResourceHandle{{DriverName: gpuDriver, Data: data(0, 0, growth)}}
	return claim
}

func structured(leftovers bool, growth int) *v1alpha3.ResourceClaim {
	claim := Structured(0, growth)
	if leftovers {
		return claim
	}
	devices := &claim.Spec.Devices
	devices.Requests, devices.Constraints = devices.Requests[:1], nil
	devices.Requests[0].Name, devices.Requests[0].Selectors = "claim", nil
	allocated := claim.Status.Allocation
	allocated.Devices.Results = allocated.Devices.Results[:1]
	allocated.Devices.Results[0].Request = "claim"
	return claim
}
