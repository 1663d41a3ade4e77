//go:build e2e

package webhooktest_test

import (
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook/webhooktest"
)

const ownGroup = "claims.example.com"

// The API server of these tests serves resource.k8s.io itself, which is the default.
func TestOwnGroupNextToTheBuiltInGroup(t *testing.T) {
	t.Parallel()
	cluster := plane.New(t, plane.Options{}).Config
	t.Run("its group is rejected, with the remedies", func(t *testing.T) {
		_, err := webhooktest.Start(t.Context(), cluster, webhooktest.Options{})
		for _, want := range []string{"resource.k8s.io", "v1", "DisableBuiltIn", "Options{Group:"} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("no %q in %v", want, err)
			}
		}
		if claims := list(t, cluster, "resource.k8s.io", "v1"); len(claims) != 0 {
			t.Errorf("claims out of nowhere: %v", claims)
		}
	})

	t.Run("another group works", func(t *testing.T) {
		claims := webhooktest.Run(t, cluster, webhooktest.Options{Group: ownGroup})
		if err := create(t, cluster, "a", "gpu.example.com"); err != nil {
			t.Error(err)
		}
		if err := create(t, cluster, "b", "Not A Name"); !apierrors.IsInvalid(err) {
			t.Errorf("a claim that breaks a rule: %v", err)
		}
		if claims := list(t, cluster, ownGroup, "v1alpha3"); len(claims) != 1 {
			t.Errorf("want one claim: %v", claims)
		}

		if err := claims.Stop(); err != nil {
			t.Error(err)
		}
		if err := create(t, cluster, "c", "gpu.example.com"); err == nil || !strings.Contains(err.Error(), "webhook") {
			// whose connections may still end
			t.Errorf("the webhook is away: %v", err)
		}
		if err := claims.Resume(); err != nil {
			t.Error(err)
		}
		if err := create(t, cluster, "c", "gpu.example.com"); err != nil {
			t.Errorf("the webhook is back: %v", err)
		}
	})

	t.Run("another start takes over", func(t *testing.T) {
		webhooktest.Run(t, cluster, webhooktest.Options{Group: ownGroup})
		if claims := list(t, cluster, ownGroup, "v1alpha1"); len(claims) != 2 {
			t.Errorf("want two claims: %v", claims)
		}
	})

	t.Run("conversion alone validates nothing", func(t *testing.T) {
		webhooktest.Run(t, cluster, webhooktest.Options{Group: "bare.example.com", ConversionOnly: true})
		if claims := list(t, cluster, "bare.example.com", "v1alpha2"); len(claims) != 0 {
			t.Errorf("claims out of nowhere: %v", claims)
		}
	})
}

func claimsOf(t testing.TB, cluster *rest.Config, group, version string) dynamic.ResourceInterface {
	t.Helper()
	quiet := rest.CopyConfig(cluster)
	quiet.WarningHandler = rest.NoWarnings{}
	client := must.Get(dynamic.NewForConfig(quiet))(t)
	return client.Resource(schema.GroupVersionResource{
		Group: group, Version: version, Resource: "resourceclaims",
	}).Namespace("default")
}

func list(t *testing.T, cluster *rest.Config, group, version string) []unstructured.Unstructured {
	t.Helper()
	list := must.Get(claimsOf(t, cluster, group, version).List(t.Context(), metav1.ListOptions{}))(t)
	return list.Items
}

// create creates a claim of the oldest version in the group of the test.
func create(t *testing.T, cluster *rest.Config, name, class string) error {
	t.Helper()
	claim := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": ownGroup + "/v1alpha1", "kind": "ResourceClaim", "metadata": map[string]any{"name": name},
		"spec": map[string]any{"resourceClassName": class},
	}}
	_, err := claimsOf(t, cluster, ownGroup, "v1alpha1").Create(t.Context(), claim, metav1.CreateOptions{})
	return err
}
