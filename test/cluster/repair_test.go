//go:build e2e

package cluster

import (
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook/webhooktest"
)

// TestStoredClaimOfWrongTypeCanBeRepaired damages an allocated claim in etcd, and repairs it through v1, which needs no
// conversion, with a valid spec, or deletes it. Package validation tests other repairs. The test has a separate group,
// because lists in older versions fail in the meantime.
func TestStoredClaimOfWrongTypeCanBeRepaired(t *testing.T) {
	t.Parallel()
	p := *customGroup
	// sorted after the other group, see conversionOnlyGroup
	p.name, p.group = "unreadable claims", "unreadable.example.com"
	p.webhook = webhooktest.Run(t, p.Config, webhooktest.Options{Group: p.group})
	s := p.space(t)
	o := s.typicalObject(t, stored, claimKind, "broken")
	o.SetFinalizers([]string{"example.com/in-use"})
	good := s.createWithStatus(t, o)
	broken := set(t, good.DeepCopy(), []any{
		map[string]any{"name": "gpu", "exactly": map[string]any{"deviceClassName": "gpu", "allocationMode": int64(5)}},
	}, "spec", "devices", "requests")
	broken.SetResourceVersion("")
	s.putInEtcd(t, broken)
	good.SetResourceVersion(s.get(t, stored, claimKind, "broken").GetResourceVersion())
	must.Get(s.claims(stored).Update(t.Context(), good, metav1.UpdateOptions{}))(t)
	equal(t, "the claim", content(s.get(t, stored, claimKind, "broken")), content(good))
	s.getAllVersions(t, claimKind, "broken")

	s.putInEtcd(t, broken)
	must.Do(t, s.claims(stored).Delete(t.Context(), "broken", metav1.DeleteOptions{}))
	must.Get(s.claims(stored).Patch(t.Context(), "broken", types.MergePatchType,
		[]byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{}))(t)
	if _, err := s.claims(stored).Get(t.Context(), "broken", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("get after the delete: got error %v, want NotFound", err)
	}
}
