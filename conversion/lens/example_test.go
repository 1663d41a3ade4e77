package lens_test

import (
	"bytes"
	"fmt"

	"github.com/claimbridge/claimbridge/conversion/lens"
)

// A client of v1beta1 reads a claim of a cluster that has v1 alone, changes what it wants, and writes that back.
func Example() {
	served := []byte(`{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a"},` +
		`"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c","count":1}}]}}}`)
	l, err := lens.Between("v1", "v1beta1", "ResourceClaim")
	if err != nil {
		panic(err)
	}
	shown, err := l.Down(nil, served)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(shown))
	written, err := l.Up(nil, bytes.Replace(shown, []byte(`"count":1`), []byte(`"count":2`), 1))
	if err != nil {
		panic(err)
	}
	fmt.Println(string(written))
	// Output:
	// {"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"devices":{"requests":[{"name":"r","deviceClassName":"c","count":1}]}}}
	// {"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c","count":2}}]}}}
}
