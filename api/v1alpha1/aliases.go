package v1alpha1

import "github.com/claimbridge/claimbridge/api/v1alpha2"

// Types with the same fields in v1alpha2 and in this version are aliases.

//nolint:revive // the types that they alias have comments
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
