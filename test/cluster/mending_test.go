//go:build e2e

package cluster

import (
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook/webhooktest"
)

// TestAStoredClaimOfTheWrongTypeIsMended breaks claims in etcd, as no write can, and mends them through v1, which
// needs no conversion. A list of an older version fails for as long as one is there, so the group is this test's own.
func TestAStoredClaimOfTheWrongTypeIsMended(t *testing.T) {
	t.Parallel()
	p := *ownGroup
	p.name, p.group = "unreadable claims", "unreadable.example.com" // after the other one, see bare
	p.webhook = webhooktest.Run(t, p.Config, webhooktest.Options{Group: p.group})
	s := p.space(t)
	// broken is an allocated claim with a finalizer, and a wrong type in its spec or its status.
	broken := func(t *testing.T, name string, value any, fields ...string) (good, bad *object) {
		o := s.typical(t, stored, claimKind, name)
		o.SetFinalizers([]string{"example.com/in-use"})
		good = s.createWithStatus(t, o)
		bad = set(t, good.DeepCopy(), value, fields...)
		bad.SetResourceVersion("")
		s.putInEtcd(t, bad)
		t.Cleanup(func() { // an older version cannot be listed before
			patch := []byte(`{"metadata":{"finalizers":null}}`)
			_ = s.claims(stored).Delete(t.Context(), name, metav1.DeleteOptions{})
			_, _ = s.claims(stored).Patch(t.Context(), name, types.MergePatchType, patch, metav1.PatchOptions{})
		})
		return good, s.get(t, stored, claimKind, name)
	}
	wrongSpec := []any{map[string]any{"name": "gpu", "exactly": map[string]any{"deviceClassName": "gpu", "allocationMode": int64(5)}}}

	t.Run("by a good spec", func(t *testing.T) {
		good, bad := broken(t, "spec", wrongSpec, "spec", "devices", "requests")
		good.SetResourceVersion(bad.GetResourceVersion())
		if _, err := s.claims(stored).Update(t.Context(), good, metav1.UpdateOptions{}); err != nil {
			t.Error(err)
		}
		equal(t, "the claim", content(s.get(t, stored, claimKind, "spec")), content(good))
		s.everyVersion(t, claimKind, "spec")
	})
	t.Run("not by an invalid one", func(t *testing.T) {
		good, bad := broken(t, "invalid", wrongSpec, "spec", "devices", "requests")
		good.SetResourceVersion(bad.GetResourceVersion())
		requests := nested(good, "spec", "devices", "requests").([]any)
		requests[0].(map[string]any)["exactly"].(map[string]any)["deviceClassName"] = "UPPER"
		_, err := s.claims(stored).Update(t.Context(), good, metav1.UpdateOptions{})
		denied(t, err, "spec.devices.requests[0].exactly.deviceClassName", "device-class-name-is-subdomain")
	})
	t.Run("a status goes on being written", func(t *testing.T) {
		_, bad := broken(t, "status", wrongSpec, "spec", "devices", "requests")
		consumer := map[string]any{"resource": "pods", "name": "late", "uid": "late"}
		status := bad.Object["status"].(map[string]any)
		reserved, _ := status["reservedFor"].([]any)
		status["reservedFor"] = append(reserved, consumer)
		if _, err := s.claims(stored).UpdateStatus(t.Context(), bad, metav1.UpdateOptions{}); err != nil {
			t.Error(err)
		}
	})
	t.Run("and an allocation does not change", func(t *testing.T) {
		_, bad := broken(t, "forged", wrongSpec, "spec", "devices", "requests")
		results := nested(bad, "status", "allocation", "devices", "results").([]any)
		results[0].(map[string]any)["device"] = "another"
		_, err := s.claims(stored).UpdateStatus(t.Context(), bad, metav1.UpdateOptions{})
		denied(t, err, "status.allocation", "allocation-is-immutable")
	})
	t.Run("by deletion", func(t *testing.T) {
		broken(t, "gone", wrongSpec, "spec", "devices", "requests")
		must.Do(t, s.claims(stored).Delete(t.Context(), "gone", metav1.DeleteOptions{}))
		patch := []byte(`{"metadata":{"finalizers":null}}`)
		if _, err := s.claims(stored).Patch(t.Context(), "gone", types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
			t.Error(err)
		}
		if _, err := s.claims(stored).Get(t.Context(), "gone", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
			t.Errorf("it is still there: %v", err)
		}
	})
}

// TestExpressionsThatCannotBeAffordedAreRefusedInTime sends four claims at once, each with twelve expressions that would
// keep a core busy for seconds, or take half a gigabyte, and asks for an ordinary verdict meanwhile.
func TestExpressionsThatCannotBeAffordedAreRefusedInTime(t *testing.T) {
	t.Parallel()
	s := builtInOff.space(t)
	hostile := func(name string, i int) *object {
		selectors := []any{}
		for j := range 12 {
			depth := 220 + (i+j)%20
			expression := strings.Repeat("[", depth) + strings.Repeat("]", depth) + strings.Repeat(" ", 12*i+j) + "==[]"
			if j%2 == 1 {
				expression = "device.driver.matches('" + strings.Repeat("a{1000}", 80+12*i+j) + "')"
			}
			selectors = append(selectors, map[string]any{"cel": map[string]any{"expression": expression}})
		}
		o := s.move(&object{Object: map[string]any{}}, stored, claimKind, name)
		return set(t, o, []any{map[string]any{"name": "gpu", "exactly": map[string]any{"deviceClassName": "gpu", "selectors": selectors}}}, "spec", "devices", "requests")
	}
	dryRun := metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}
	refusals := make(chan error, 4)
	for i := range cap(refusals) {
		go func() {
			_, err := s.claims(stored).Create(t.Context(), hostile("hostile", i), dryRun)
			refusals <- err
		}()
	}
	if _, err := s.claims(stored).Create(t.Context(), s.typical(t, stored, claimKind, "honest"), dryRun); err != nil {
		t.Errorf("an ordinary claim meanwhile: %v", err)
	}
	for range cap(refusals) {
		err := <-refusals
		denied(t, err, "spec.devices.requests[0].exactly.selectors[0].cel.expression", "claimbridge spends at most 64")
		denied(t, err, "spec.devices.requests[0].exactly.selectors[11].cel.expression", "(rule selector-expression-compiles)")
	}
}
