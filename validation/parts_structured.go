package validation

import "github.com/claimbridge/claimbridge/api/v1alpha3"

func objectOfV1alpha3(c *v1alpha3.ResourceClaim) object {
	v1alpha3.SetSpecDefaults(&c.Spec)
	o := object{
		wholeSpec:  &c.Spec,
		structured: &c.Spec,
		allocation: c.Status.Allocation,
		use: use{
			consumers:             c.Status.ReservedFor,
			deallocationRequested: c.Status.DeallocationRequested,
		},
		annotations: c.Annotations,
		deleting:    c.DeletionTimestamp != nil,
	}
	if c.Status.Allocation != nil {
		o.use.allocated = true
		o.wholeAllocation = c.Status.Allocation
		o.nodes = c.Status.Allocation.NodeSelector
	}
	return o
}

func templateOfV1alpha3(t *v1alpha3.ResourceClaimTemplate) object {
	v1alpha3.SetSpecDefaults(&t.Spec.Spec)
	return object{
		wholeSpec:        &t.Spec,
		structured:       &t.Spec.Spec,
		templateMetadata: &t.Spec.ObjectMeta,
		annotations:      t.Spec.Annotations,
	}
}
