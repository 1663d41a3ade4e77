package main

import (
	"context"

	"kubernetes-1.26.example/api/resource/v1alpha1"
	"kubernetes-1.30.example/api/resource/v1alpha2"
	"kubernetes-1.31.example/api/resource/v1alpha3"
)

// Between v1alpha1 and v1alpha2 little changed: one handle became a list.

func claimFromV1alpha1(ctx context.Context, src *v1alpha1.ResourceClaim, dst *v1alpha3.ResourceClaim) error {
	between := &v1alpha2.ResourceClaim{ObjectMeta: src.ObjectMeta, Spec: specFromV1alpha1(src.Spec)}
	between.Status.DriverName = src.Status.DriverName
	between.Status.DeallocationRequested = src.Status.DeallocationRequested
	for _, c := range src.Status.ReservedFor {
		between.Status.ReservedFor = append(between.Status.ReservedFor, v1alpha2.ResourceClaimConsumerReference(c))
	}
	if old := src.Status.Allocation; old != nil {
		between.Status.Allocation = &v1alpha2.AllocationResult{AvailableOnNodes: old.AvailableOnNodes, Shareable: old.Shareable}
		if old.ResourceHandle != "" {
			between.Status.Allocation.ResourceHandles = []v1alpha2.ResourceHandle{{DriverName: src.Status.DriverName, Data: old.ResourceHandle}}
		}
	}
	return claimFromV1alpha2(ctx, between, dst)
}

func claimToV1alpha1(ctx context.Context, src *v1alpha3.ResourceClaim, dst *v1alpha1.ResourceClaim) error {
	between := &v1alpha2.ResourceClaim{}
	if err := claimToV1alpha2(ctx, src, between); err != nil {
		return err
	}
	dst.ObjectMeta, dst.Spec = between.ObjectMeta, specToV1alpha1(between.Spec)
	dst.Status.DriverName = between.Status.DriverName
	dst.Status.DeallocationRequested = between.Status.DeallocationRequested
	for _, c := range between.Status.ReservedFor {
		dst.Status.ReservedFor = append(dst.Status.ReservedFor, v1alpha1.ResourceClaimConsumerReference(c))
	}
	if new := between.Status.Allocation; new != nil {
		dst.Status.Allocation = &v1alpha1.AllocationResult{AvailableOnNodes: new.AvailableOnNodes, Shareable: new.Shareable}
		for _, h := range new.ResourceHandles {
			if h.DriverName == between.Status.DriverName {
				dst.Status.Allocation.ResourceHandle = h.Data
				break
			}
		}
	}
	return nil
}

func templateFromV1alpha1(_ context.Context, src *v1alpha1.ResourceClaimTemplate, dst *v1alpha3.ResourceClaimTemplate) error {
	dst.ObjectMeta, dst.Spec.ObjectMeta, dst.Spec.Spec = src.ObjectMeta, src.Spec.ObjectMeta, specFromV1alpha2(specFromV1alpha1(src.Spec.Spec))
	return nil
}

func templateToV1alpha1(_ context.Context, src *v1alpha3.ResourceClaimTemplate, dst *v1alpha1.ResourceClaimTemplate) error {
	dst.ObjectMeta, dst.Spec.ObjectMeta, dst.Spec.Spec = src.ObjectMeta, src.Spec.ObjectMeta, specToV1alpha1(specToV1alpha2(src.Spec.Spec))
	return nil
}

func specFromV1alpha1(old v1alpha1.ResourceClaimSpec) v1alpha2.ResourceClaimSpec {
	return v1alpha2.ResourceClaimSpec{
		ResourceClassName: old.ResourceClassName,
		ParametersRef:     (*v1alpha2.ResourceClaimParametersReference)(old.ParametersRef),
		AllocationMode:    v1alpha2.AllocationMode(old.AllocationMode),
	}
}

func specToV1alpha1(new v1alpha2.ResourceClaimSpec) v1alpha1.ResourceClaimSpec {
	return v1alpha1.ResourceClaimSpec{
		ResourceClassName: new.ResourceClassName,
		ParametersRef:     (*v1alpha1.ResourceClaimParametersReference)(new.ParametersRef),
		AllocationMode:    v1alpha1.AllocationMode(new.AllocationMode),
	}
}
