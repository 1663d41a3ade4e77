// Package codec holds the generated functions that read and write the types of the API, for whoever holds values of them:
// conversion itself, and the packages whose own types have some in them.
package codec

import (
	_ "github.com/claimbridge/claimbridge/api/v1" // whose types the generator looks up here
	_ "github.com/claimbridge/claimbridge/api/v1alpha1"
	_ "github.com/claimbridge/claimbridge/api/v1alpha2"
	_ "github.com/claimbridge/claimbridge/api/v1alpha3"
	_ "github.com/claimbridge/claimbridge/api/v1beta1"
)

//go:generate go run ../jsongen -roots=api/v1alpha1.ResourceClaimSpec,api/v1alpha1.ResourceClaimStatus,api/v1alpha2.ResourceClaimSpec,api/v1alpha2.ResourceClaimStatus,api/v1alpha3.ResourceClaimSpec,api/v1alpha3.ResourceClaimStatus,api/v1beta1.ResourceClaimSpec,api/v1.ResourceClaimSpec,api/v1.ResourceClaimStatus -canonical=api/v1alpha1.ResourceClaimSpec,api/v1alpha1.ResourceClaimStatus,api/v1alpha2.ResourceClaimSpec,api/v1alpha2.ResourceClaimStatus,api/v1alpha3.ResourceClaimSpec,api/v1alpha3.ResourceClaimStatus,api/v1alpha3.AllocationResult
