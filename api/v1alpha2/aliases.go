package v1alpha2

import v1 "github.com/claimbridge/claimbridge/api/v1"

// ResourceClaimConsumerReference names one consumer of a claim, today always a pod, in the claim's own namespace.
type ResourceClaimConsumerReference = v1.ResourceClaimConsumerReference
