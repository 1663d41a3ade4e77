package v1alpha2

import v1 "github.com/claimbridge/claimbridge/api/v1"

// ResourceClaimConsumerReference refers to a consumer of a claim in the same namespace. Currently, it is always a pod.
type ResourceClaimConsumerReference = v1.ResourceClaimConsumerReference
