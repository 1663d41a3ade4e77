package bridge_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/bridge"
)

// A program of v1 on a cluster of 1.32, which serves v1beta1.
func Example() {
	cluster := httptest.NewServer(http.HandlerFunc(kubernetes132))
	defer cluster.Close()
	config := &rest.Config{Host: cluster.URL} // or rest.InClusterConfig()

	config.Wrap(bridge.Transport(bridge.Options{}))

	claims := schema.GroupVersionResource{Group: "resource.k8s.io", Version: "v1", Resource: "resourceclaims"}
	client := dynamic.NewForConfigOrDie(config).Resource(claims).Namespace("default")
	claim, err := client.Get(context.Background(), "gpu", metav1.GetOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	requests, _, _ := unstructured.NestedSlice(claim.Object, "spec", "devices", "requests")
	fmt.Println(claim.GetAPIVersion(), requests)
	// Output: resource.k8s.io/v1 [map[exactly:map[deviceClassName:gpu.example.com] name:gpu]]
}

// kubernetes132 has one claim.
func kubernetes132(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	switch r.URL.Path {
	case "/apis/resource.k8s.io":
		_ = json.NewEncoder(w).Encode(metav1.APIGroup{
			TypeMeta: metav1.TypeMeta{Kind: "APIGroup", APIVersion: "v1"}, Name: "resource.k8s.io",
			Versions: []metav1.GroupVersionForDiscovery{{GroupVersion: "resource.k8s.io/v1beta1", Version: "v1beta1"}},
		})
	case "/apis/resource.k8s.io/v1beta1/namespaces/default/resourceclaims/gpu":
		_, _ = io.WriteString(w,
			`{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim","metadata":{"name":"gpu"},
			"spec":{"devices":{"requests":[{"name":"gpu","deviceClassName":"gpu.example.com"}]}}}`)
	default:
		http.NotFound(w, r)
	}
}
