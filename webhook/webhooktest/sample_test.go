//go:build e2e

package webhooktest_test

import (
	"testing"

	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/claimbridge/claimbridge/webhook/webhooktest"
)

// TestDriver is the first sample of docs/envtest.md, line by line.
func TestDriver(t *testing.T) {
	environment := &envtest.Environment{}
	// Only for Kubernetes 1.34 and later, and before Start: older API servers reject the flag.
	webhooktest.DisableBuiltIn(environment.ControlPlane.GetAPIServer())
	cluster, err := environment.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = environment.Stop() })

	// From here on the API server serves resource.k8s.io in v1alpha1, v1alpha2, v1alpha3, v1beta1, v1beta2 and v1.
	claims := webhooktest.Run(t, cluster, webhooktest.Options{})

	// Use claims.Config: a typed client of cluster sends protobuf, which custom resources do not support.
	c, err := client.New(claims.Config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	claim := &resourcev1.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Name: "gpu", Namespace: "default"}}
	claim.Spec.Devices.Requests = []resourcev1.DeviceRequest{
		{Name: "gpu", Exactly: &resourcev1.ExactDeviceRequest{DeviceClassName: "gpu.example.com"}},
	}
	if err := c.Create(t.Context(), claim); err != nil {
		t.Fatal(err)
	}
}
