package conversion_test

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/conversion"
)

const oldClaim = `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"training"},` +
	`"spec":{"resourceClassName":"gpu.example.com"}}`

// An object as bytes, as a webhook or a file has it. With Strict a field that the version does not have is an error.
func ExampleJSON() {
	object := []byte(oldClaim)
	converted, report, err := conversion.JSON(object, "v1", conversion.Options{Strict: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("from", report.Version)
	fmt.Println(string(converted))
	// Output:
	// from v1alpha2
	// {"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"training"},"spec":{"devices":{"requests":[{"name":"claim","exactly":{"deviceClassName":"gpu.example.com","allocationMode":"ExactCount","count":1}}]}}}
}

// What is wrong has a field.
func ExampleJSON_strict() {
	object := `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"training"},` +
		`"spec":{"className":"gpu.example.com"}}`
	_, _, err := conversion.JSON([]byte(object), "v1alpha3", conversion.Options{Strict: true})
	fmt.Println(err)
	// Output:
	// ResourceClaim training: v1alpha2 to v1alpha3: unknown or duplicate field spec.className
}

// A typed object, without a scheme.
func ExampleConvert() {
	old := v1alpha2.ResourceClaim{
		ObjectMeta: metav1.ObjectMeta{Name: "training"},
		Spec:       v1alpha2.ResourceClaimSpec{ResourceClassName: "gpu.example.com"},
	}
	var claim v1.ResourceClaim
	err := conversion.Convert(&old, &claim)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, request := range claim.Spec.Devices.Requests {
		fmt.Println(claim.Name, "asks for", request.Exactly.Count, "of class", request.Exactly.DeviceClassName)
	}
	// Output:
	// training asks for 1 of class gpu.example.com
}

// What went where, step by step, a line for each field that moves.
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
