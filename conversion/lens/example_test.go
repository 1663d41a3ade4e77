package lens_test

import (
	"fmt"

	"github.com/claimbridge/claimbridge/conversion/lens"
)

// A client of v1beta1 reads a claim, changes what it wants, and writes back what it knows.
func Example() {
	stored := []byte(`{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c","count":1}}]}},"status":{"devices":[{"driver":"d","pool":"p","device":"x","notYetInvented":true}]}}`)
	l, err := lens.New("v1beta1", "ResourceClaim")
	if err != nil {
		panic(err)
	}
	shown, err := l.Down(nil, stored)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(shown))
	written := []byte(`{"metadata":{"name":"a"},"status":{"devices":[{"driver":"d","pool":"p","device":"x","networkData":{"interfaceName":"eth1"}}]}}`)
	put, err := l.PutStatus(nil, stored, written)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(put))
	// Output:
	// {"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"devices":{"requests":[{"name":"r","deviceClassName":"c","count":1}]}},"status":{"devices":[{"driver":"d","pool":"p","device":"x","notYetInvented":true}]}}
	// {"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c","count":1}}]}},"status":{"devices":[{"driver":"d","pool":"p","device":"x","notYetInvented":true,"networkData":{"interfaceName":"eth1"}}]}}
}
