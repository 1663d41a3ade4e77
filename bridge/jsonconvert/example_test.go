package jsonconvert_test

import (
	"bytes"
	"fmt"

	"github.com/claimbridge/claimbridge/bridge/jsonconvert"
)

// A client of v1beta1 reads a claim of a cluster that serves only v1, changes it, and writes it.
func Example() {
	stored := []byte(`{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a"},` +
		`"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c","count":1}}]}}}`)
	read, err := jsonconvert.Convert(stored, "ResourceClaim", "v1", "v1beta1")
	if err != nil {
		panic(err)
	}
	fmt.Println(string(read))
	changed := bytes.Replace(read, []byte(`"count":1`), []byte(`"count":2`), 1)
	written, err := jsonconvert.Convert(changed, "ResourceClaim", "v1beta1", "v1")
	if err != nil {
		panic(err)
	}
	fmt.Println(string(written))
	// Output:
	// {"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"devices":{"requests":[{"name":"r","deviceClassName":"c","count":1}]}}}
	// {"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c","count":2}}]}}}
}
