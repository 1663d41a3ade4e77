//go:build e2e

package webhooktest_test

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/claimbridge/claimbridge/webhook/webhooktest"
)

// A driver of Kubernetes 1.26 creates a claim, and a driver of 1.31 reads it.
func Example() {
	environment := &envtest.Environment{} // finds etcd and kube-apiserver by KUBEBUILDER_ASSETS
	webhooktest.DisableBuiltIn(environment.ControlPlane.GetAPIServer())
	cluster, err := environment.Start()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = environment.Stop() }()

	ctx := context.Background()
	// in a test: webhooktest.Run(t, cluster, webhooktest.Options{})
	claims, err := webhooktest.Start(ctx, cluster, webhooktest.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = claims.Stop() }()

	client := dynamic.NewForConfigOrDie(cluster)
	in := func(version string) dynamic.ResourceInterface {
		resource := schema.GroupVersionResource{Group: claims.Group, Version: version, Resource: "resourceclaims"}
		return client.Resource(resource).Namespace("default")
	}
	claim := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "resource.k8s.io/v1alpha1", "kind": "ResourceClaim", "metadata": map[string]any{"name": "gpu"},
		"spec": map[string]any{"resourceClassName": "gpu.example.com"},
	}}
	if _, err := in("v1alpha1").Create(ctx, claim, metav1.CreateOptions{}); err != nil {
		fmt.Println(err)
		return
	}
	claim, err = in("v1alpha3").Get(ctx, "gpu", metav1.GetOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(claim.Object["spec"])
	// Output: map[devices:map[requests:[map[allocationMode:ExactCount count:1 deviceClassName:gpu.example.com name:claim]]]]
}
