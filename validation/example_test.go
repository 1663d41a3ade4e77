package validation_test

import (
	"context"
	"fmt"

	"github.com/claimbridge/claimbridge/validation"
)

// A create that the API server of Kubernetes 1.30 rejects. Each error has its rule, which `claimbridge rules` and
// docs/upstream-rules.md explain.
func ExampleValidate() {
	result, err := validation.Validate(context.Background(), validation.Request{
		Operation: validation.Create,
		Object: []byte(`{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"training"},
			"spec":{"resourceClassName":"GPU","allocationMode":"Later"}}`),
	})
	if err != nil {
		fmt.Println(err) // it could not be validated
		return
	}
	for _, reason := range result.Errors {
		fmt.Printf("%s: %s\n", reason.Rule, reason.Field)
	}
	// Output:
	// resource-class-name-is-subdomain: spec.resourceClassName
	// claim-allocation-mode-is-known: spec.allocationMode
}

// The rules of a version, upstream's first.
func ExampleRules() {
	rules := validation.Rules("v1alpha1", "")
	fmt.Printf("%s: %s\n", rules[0].Name, rules[0].Reason)
	// Output:
	// template-metadata-is-valid: The labels and annotations that claims get from a template have valid names, values and total size.
}
