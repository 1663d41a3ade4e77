// Package validation runs the tests of claims in Kubernetes' pkg/apis/resource/validation. test/oracle adds their files,
// which are in the module cache. The functions that they test are those of this file.
package validation

import (
	"testing"

	"github.com/claimbridge/claimbridge/test/upstream/assert"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/apis/resource"

	"github.com/claimbridge/claimbridge/test/upstream/ask"
)

func ValidateResourceClaim(claim *resource.ResourceClaim) field.ErrorList { return ask.Create(claim) }

func ValidateResourceClaimUpdate(claim, old *resource.ResourceClaim) field.ErrorList {
	return ask.Update(claim, old)
}

func ValidateResourceClaimStatusUpdate(claim, old *resource.ResourceClaim) field.ErrorList {
	return ask.UpdateStatus(claim, old)
}

func ValidateResourceClaimTemplate(template *resource.ResourceClaimTemplate) field.ErrorList {
	return ask.Create(template)
}

func ValidateResourceClaimTemplateUpdate(template, old *resource.ResourceClaimTemplate) field.ErrorList {
	return ask.Update(template, old)
}

// Names of the same functions up to 1.30.
var (
	ValidateClaim               = ValidateResourceClaim
	ValidateClaimUpdate         = ValidateResourceClaimUpdate
	ValidateClaimStatusUpdate   = ValidateResourceClaimStatusUpdate
	ValidateClaimTemplate       = ValidateResourceClaimTemplate
	ValidateClaimTemplateUpdate = ValidateResourceClaimTemplateUpdate
)

// assertFailures compares errors from 1.32 on. Up to 1.31, tests call assert.Equal.
func assertFailures(tb testing.TB, want, got field.ErrorList) bool {
	tb.Helper()
	return assert.Equal(tb, want, got)
}
