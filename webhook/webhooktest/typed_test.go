//go:build e2e

package webhooktest_test

import (
	"testing"

	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	typed "k8s.io/client-go/kubernetes/typed/resource/v1"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook/webhooktest"
)

// client-go's own types write protobuf unless their config says otherwise.
func TestTypedClientsOfTheConfigWriteClaims(t *testing.T) {
	t.Parallel()
	cluster := plane.New(t, plane.Options{RuntimeConfig: plane.WithoutClaims}).Config
	webhook := webhooktest.Run(t, cluster, webhooktest.Options{})
	if cluster.ContentType != "" {
		t.Errorf("the config that it was given has become one of %s", cluster.ContentType)
	}
	create := func(config *rest.Config, name string) error {
		client := must.Get(typed.NewForConfig(config))(t)
		claim := &resourcev1.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Name: name}}
		claim.Spec.Devices.Requests = []resourcev1.DeviceRequest{
			{Name: "gpu", Exactly: &resourcev1.ExactDeviceRequest{DeviceClassName: "gpu.example.com"}},
		}
		made, err := client.ResourceClaims("default").Create(t.Context(), claim, metav1.CreateOptions{})
		if err == nil && made.Spec.Devices.Requests[0].Exactly.Count != 1 {
			t.Errorf("made %+v", made.Spec)
		}
		return err
	}
	if err := create(cluster, "protobuf"); err == nil {
		t.Error("a client with its own content type works, so there is no need for a config")
	}
	if err := create(webhook.Config, "json"); err != nil {
		t.Error(err)
	}
}
