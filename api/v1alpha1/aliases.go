package v1alpha1

import "github.com/claimbridge/claimbridge/api/v1alpha2"

// What is the same in v1alpha2 and in this version has the same Go types.

//nolint:revive // the types that they are have comments
type (
	AllocationMode                   = v1alpha2.AllocationMode
	ResourceClaimConsumerReference   = v1alpha2.ResourceClaimConsumerReference
	ResourceClaimParametersReference = v1alpha2.ResourceClaimParametersReference
	ResourceClaimSpec                = v1alpha2.ResourceClaimSpec
)

// Constants of these types.
const (
	AllocationModeWaitForFirstConsumer = v1alpha2.AllocationModeWaitForFirstConsumer
	AllocationModeImmediate            = v1alpha2.AllocationModeImmediate
)
