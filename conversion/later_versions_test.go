package conversion

import (
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/api/v1beta1"
)

// From v1beta1 on all versions have one status, and from v1beta2 on one spec.

// laterStatus of a claim of these versions; nil for others.
func laterStatus(o runtime.Object) *v1.ResourceClaimStatus {
	return part[v1.ResourceClaimStatus](o, "Status")
}

// devicesOf a claim or a template of v1beta2 or a later version; nil for others.
func devicesOf(o runtime.Object) *v1.DeviceClaim {
	if spec := part[v1.ResourceClaimTemplateSpec](o, "Spec"); spec != nil {
		return &spec.Spec.Devices
	}
	if spec := part[v1.ResourceClaimSpec](o, "Spec"); spec != nil {
		return &spec.Devices
	}
	return nil
}

// part of an object, if it has this type.
func part[T any](o runtime.Object, name string) (p *T) {
	if field := reflect.ValueOf(o).Elem().FieldByName(name); field.IsValid() {
		p, _ = field.Addr().Interface().(*T)
	}
	return p
}

// specOfV1beta1 is that of a claim or a template of v1beta1; nil for others.
func specOfV1beta1(o runtime.Object) *v1beta1.ResourceClaimSpec {
	switch o := o.(type) {
	case *v1beta1.ResourceClaim:
		return &o.Spec
	case *v1beta1.ResourceClaimTemplate:
		return &o.Spec.Spec
	}
	return nil
}

// normalLater sets the defaults of the later versions, as Kubernetes writes them down for each.
func normalLater(o runtime.Object) {
	if devices := devicesOf(o); devices != nil {
		for _, r := range devices.Requests {
			if e := r.Exactly; e != nil {
				defaultCount(&e.AllocationMode, &e.Count)
				defaultOperators(e.Tolerations)
			}
			defaultAlternatives(r.FirstAvailable)
		}
	}
	if spec := specOfV1beta1(o); spec != nil {
		for i := range spec.Devices.Requests {
			r := &spec.Devices.Requests[i]
			if r.DeviceClassName != "" {
				defaultCount(&r.AllocationMode, &r.Count)
			}
			defaultOperators(r.Tolerations)
			defaultAlternatives(r.FirstAvailable)
		}
	}
	if s := laterStatus(o); s != nil && s.Allocation != nil {
		for _, r := range s.Allocation.Devices.Results {
			defaultOperators(r.Tolerations)
		}
	}
}

func defaultCount(mode *v1.DeviceAllocationMode, count *int64) {
	if *mode == "" {
		*mode = "ExactCount"
	}
	if *mode == "ExactCount" && *count == 0 {
		*count = 1
	}
}

func defaultOperators(tolerations []v1.DeviceToleration) {
	for i := range tolerations {
		if tolerations[i].Operator == "" {
			tolerations[i].Operator = "Equal"
		}
	}
}

func defaultAlternatives(alternatives []v1.DeviceSubRequest) {
	for i := range alternatives {
		defaultCount(&alternatives[i].AllocationMode, &alternatives[i].Count)
		defaultOperators(alternatives[i].Tolerations)
	}
}

// defaultV1alpha3 is what 1.31 sets, and 1.33 in what it added.
func defaultV1alpha3(spec *v1alpha3.ResourceClaimSpec, status *v1alpha3.ResourceClaimStatus) {
	for i := range spec.Devices.Requests {
		r := &spec.Devices.Requests[i]
		if r.DeviceClassName != "" || len(r.FirstAvailable) == 0 {
			defaultCount(&r.AllocationMode, &r.Count)
		}
		defaultOperators(r.Tolerations)
		for j := range r.FirstAvailable {
			defaultCount(&r.FirstAvailable[j].AllocationMode, &r.FirstAvailable[j].Count)
			defaultOperators(r.FirstAvailable[j].Tolerations)
		}
	}
	if status.Allocation != nil {
		for _, r := range status.Allocation.Devices.Results {
			defaultOperators(r.Tolerations)
		}
	}
}
