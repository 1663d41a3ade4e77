package conversion_test

import (
	"fmt"

	"github.com/claimbridge/claimbridge/internal/conversion"
)

// Explain returns a line for each field that has another path in the next version.
func ExampleExplain() {
	object := `{"apiVersion":"resource.k8s.io/v1alpha1","kind":"ResourceClaim","metadata":{"name":"a"},` +
		`"spec":{"resourceClassName":"c"},"status":{"driverName":"d","allocation":{"resourceHandle":"x",` +
		`"shareable":true}}}`
	moves, err := conversion.Explain([]byte(object), "v1alpha3")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, move := range moves {
		fmt.Println(move)
	}
	// Output:
	// v1alpha1 -> v1alpha2: status.allocation.resourceHandle -> status.allocation.resourceHandles[].data (one handle, for status.driverName)
	// v1alpha2 -> v1alpha3: spec.resourceClassName -> spec.devices.requests[].deviceClassName (one request named claim)
	// v1alpha2 -> v1alpha3: status.driverName -> status.allocation.controller (unless all handles are structured)
	// v1alpha2 -> v1alpha3: status.allocation.resourceHandles[].driverName -> status.allocation.devices.results[].driver
	// v1alpha2 -> v1alpha3: status.allocation.resourceHandles[].data -> status.allocation.devices.config[].opaque.parameters.data (kind ResourceHandle, which drivers ignore unless they know that kind)
}
