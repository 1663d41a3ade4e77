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

// With Strict, a field that the version does not have is an error.
func ExampleConvertJSON() {
	object := []byte(oldClaim)
	converted, report, err := conversion.ConvertJSON(object, "v1", conversion.Options{Strict: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("lost:", len(report.Lost))
	fmt.Println(string(converted))
	// Output: lost: 0
	// {"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"training"},"spec":{"devices":{"requests":[{"name":"claim","exactly":{"deviceClassName":"gpu.example.com","allocationMode":"ExactCount","count":1}}]}}}
}

// An error names the object, the versions and the field.
func ExampleConvertJSON_strict() {
	object := `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"training"},` +
		`"spec":{"className":"gpu.example.com"}}`
	_, _, err := conversion.ConvertJSON([]byte(object), "v1alpha3", conversion.Options{Strict: true})
	fmt.Println(err)
	// Output:
	// ResourceClaim training: v1alpha2 to v1alpha3: unknown or duplicate field spec.className
}

// Convert needs no scheme.
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
