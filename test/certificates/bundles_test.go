//go:build e2e

package certificates

import (
	"encoding/base64"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	testclock "k8s.io/utils/clock/testing"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestCAIsNotPromotedWithoutBundles checks that the CA does not change while a caBundle cannot be written, and that the
// rotation continues when it can.
func TestCAIsNotPromotedWithoutBundles(t *testing.T) {
	t.Parallel()
	i := install(t, "forbidden", config.Self)
	account := i.serviceAccount()
	var requests requestCounter
	requests.count(account)
	clock := testclock.NewFakePassiveClock(time.Now())
	a := i.startSharedCA(t, account, clock)
	await.NoError(t, "the certificates are trusted", func() error { return i.checkTrust(t, a, clock.Now()) })
	first := i.ca(t)
	role := must.Get(cluster.core.RbacV1().ClusterRoles().Get(t.Context(), i.name, metav1.GetOptions{}))(t)
	rules := role.Rules
	role.Rules = rules[:1] // without those for webhook configurations
	role = must.Get(cluster.core.RbacV1().ClusterRoles().Update(t.Context(), role, metav1.UpdateOptions{}))(t)
	clock.SetTime(clock.Now().Add(61 * day))
	await.True(t, "the next CA is in the bundle of the CRD", func() bool { return len(i.bundle(t)) > len(first) })
	clock.SetTime(clock.Now().Add(20 * time.Hour)) // much longer than the grace period
	requests.await(t, "further attempts", 3, func() {})
	if i.ca(t) != first {
		t.Fatal("the next CA was promoted before all bundles had it")
	}
	role.Rules = rules
	must.Get(cluster.core.RbacV1().ClusterRoles().Update(t.Context(), role, metav1.UpdateOptions{}))(t)
	await.True(t, "the next CA is promoted", func() bool {
		clock.SetTime(clock.Now().Add(leafValidity / 8))
		return i.ca(t) != first
	})
	for _, resource := range []schema.GroupVersionResource{validating, mutating} {
		o := must.Get(cluster.dynamic.Resource(resource).Get(t.Context(), i.name, metav1.GetOptions{}))(t)
		hooks, _, _ := unstructured.NestedSlice(o.Object, "webhooks")
		encoded, _, _ := unstructured.NestedString(hooks[0].(map[string]any), "clientConfig", "caBundle")
		if pem, _ := base64.StdEncoding.DecodeString(encoded); string(pem) != string(i.bundle(t)) {
			t.Errorf("%s: got caBundle %s, want that of the CRD", resource.Resource, pem)
		}
	}
}
