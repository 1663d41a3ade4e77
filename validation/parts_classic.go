package validation

import (
	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
)

// The specs of v1alpha1 and v1alpha2 have the same fields, so rules see both in the type of v1alpha2.

func objectOfV1alpha1(c *v1alpha1.ResourceClaim) object {
	o := classicObject(specOfV1alpha1(&c.Spec))
	o.wholeSpec = o.classic
	o.annotations = c.Annotations
	o.deleting = c.DeletionTimestamp != nil
	o.use = use{
		consumers:             make([]consumer, len(c.Status.ReservedFor)),
		deallocationRequested: c.Status.DeallocationRequested,
	}
	for i, reference := range c.Status.ReservedFor {
		o.use.consumers[i] = consumer(reference)
	}
	o.classicStatus = &classicStatus{driverName: c.Status.DriverName}
	if allocation := c.Status.Allocation; allocation != nil {
		o.use.allocated = true
		o.wholeAllocation = allocation
		o.nodes = allocation.AvailableOnNodes
		o.classicStatus.handle = allocation.ResourceHandle
		o.classicStatus.shareable = allocation.Shareable
	}
	return o
}

func templateOfV1alpha1(t *v1alpha1.ResourceClaimTemplate) object {
	spec := v1alpha2.ResourceClaimTemplateSpec{ObjectMeta: t.Spec.ObjectMeta, Spec: *specOfV1alpha1(&t.Spec.Spec)}
	return classicTemplate(&spec)
}

func specOfV1alpha1(spec *v1alpha1.ResourceClaimSpec) *v1alpha2.ResourceClaimSpec {
	return &v1alpha2.ResourceClaimSpec{
		ResourceClassName: spec.ResourceClassName,
		ParametersRef:     (*v1alpha2.ResourceClaimParametersReference)(spec.ParametersRef),
		AllocationMode:    v1alpha2.AllocationMode(spec.AllocationMode),
	}
}

func objectOfV1alpha2(c *v1alpha2.ResourceClaim) object {
	o := classicObject(&c.Spec)
	o.wholeSpec = o.classic
	o.annotations = c.Annotations
	o.deleting = c.DeletionTimestamp != nil
	o.use = use{
		consumers:             make([]consumer, len(c.Status.ReservedFor)),
		deallocationRequested: c.Status.DeallocationRequested,
	}
	for i, reference := range c.Status.ReservedFor {
		o.use.consumers[i] = consumer(reference)
	}
	o.classicStatus = &classicStatus{driverName: c.Status.DriverName}
	if allocation := c.Status.Allocation; allocation != nil {
		o.use.allocated = true
		o.wholeAllocation = allocation
		o.nodes = allocation.AvailableOnNodes
		o.classicStatus.handles = allocation.ResourceHandles
		o.classicStatus.shareable = allocation.Shareable
	}
	return o
}

func templateOfV1alpha2(t *v1alpha2.ResourceClaimTemplate) object { return classicTemplate(&t.Spec) }

func classicTemplate(spec *v1alpha2.ResourceClaimTemplateSpec) object {
	o := classicObject(&spec.Spec)
	o.wholeSpec = spec
	o.templateMetadata = &spec.ObjectMeta
	o.annotations = spec.Annotations
	return o
}

func classicObject(spec *v1alpha2.ResourceClaimSpec) object {
	v1alpha2.SetSpecDefaults(spec)
	return object{classic: spec}
}
