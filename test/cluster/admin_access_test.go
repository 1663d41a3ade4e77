//go:build e2e

package cluster

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook/webhooktest"
)

// TestAdminAccessPolicy checks that with the policy of the manifests, only namespaces with the label can have claims
// and templates with admin access, in every version. Existing ones can still be changed after the label is removed.
func TestAdminAccessPolicy(t *testing.T) {
	t.Parallel()
	p := *customGroup
	p.name, p.group = "admin access", "admin.example.com"
	p.webhook = webhooktest.Run(t, p.Config, webhooktest.Options{Group: p.group})
	p.applyAdminAccessPolicy(t)
	labeled, unlabeled := p.space(t), p.space(t)
	namespaces := p.client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"})
	label := func(value string) {
		t.Helper()
		patch := fmt.Sprintf(`{"metadata":{"labels":{"resource.kubernetes.io/admin-access":%s}}}`, value)
		must.Get(namespaces.Patch(t.Context(), labeled.namespace, types.MergePatchType, []byte(patch),
			metav1.PatchOptions{}))(t)
	}
	label(`"true"`)
	await.NoError(t, "rejection by the policy", func() error {
		if _, err := unlabeled.tryAdminAccess(t, stored, claimKind, "early", true); err == nil {
			return errors.Join(errors.New("the claim was accepted"),
				unlabeled.claims(stored).Delete(t.Context(), "early", metav1.DeleteOptions{}))
		}
		return nil
	})
	await.NoError(t, "namespace with the label", func() error {
		_, err := labeled.tryAdminAccess(t, stored, claimKind, "first", true)
		return err
	})
	for _, version := range []string{"v1alpha3", "v1beta1", "v1beta2", "v1"} {
		for kind := range plurals {
			name := strings.ToLower(kind) + "-" + version
			if _, err := labeled.tryAdminAccess(t, version, kind, name, true); err != nil {
				t.Errorf("%s of %s in a namespace with the label: got %v, want no error", kind, version, err)
			}
			if _, err := unlabeled.tryAdminAccess(t, version, kind, name, true); !apierrors.IsInvalid(err) ||
				!strings.Contains(err.Error(), "admin-access: true` label on the containing namespace") {
				t.Errorf("%s of %s in a namespace without the label: got error %v, want Invalid", kind, version, err)
			}
			if _, err := unlabeled.tryAdminAccess(t, version, kind, name, false); err != nil {
				t.Errorf("%s of %s without admin access: got %v, want no error", kind, version, err)
			}
		}
	}
	// Data that v1alpha1 can't represent is preserved in annotations.
	claim := labeled.get(t, "v1alpha1", claimKind, "first")
	claim.Object["metadata"] = map[string]any{
		"name":        "smuggled",
		"annotations": claim.Object["metadata"].(map[string]any)["annotations"],
	}
	if _, err := unlabeled.claims("v1alpha1").Create(t.Context(), claim, metav1.CreateOptions{}); err == nil {
		t.Errorf("a claim with admin access was created through preserved data: %v",
			unlabeled.get(t, stored, claimKind, "smuggled").Object["spec"])
	}
	results := []any{
		map[string]any{"request": "gpu", "driver": "d.example.com", "pool": "p", "device": "d", "adminAccess": true},
	}
	updateStatus := func(s space, name string) error {
		o := set(t, s.get(t, stored, claimKind, name), results, "status", "allocation", "devices", "results")
		_, err := s.claims(stored).UpdateStatus(t.Context(), o, metav1.UpdateOptions{})
		return err
	}
	if err := updateStatus(labeled, "first"); err != nil {
		t.Errorf("write of the status with the label: got %v, want no error", err)
	}
	if err := updateStatus(unlabeled, "resourceclaim-v1"); !apierrors.IsInvalid(err) {
		t.Errorf("write of the status without the label: got error %v, want Invalid", err)
	}

	label("null")
	await.NoError(t, "namespace without the label", func() error {
		if _, err := labeled.tryAdminAccess(t, stored, claimKind, "late", true); err == nil {
			return errors.Join(errors.New("the claim was accepted"),
				labeled.claims(stored).Delete(t.Context(), "late", metav1.DeleteOptions{}))
		}
		return nil
	})
	if err := labeled.applyLabels(t, "v1beta1", "first", map[string]string{"a": "b"}); err != nil {
		t.Errorf("label of an existing claim: got %v, want no error", err)
	}
	deallocated := labeled.get(t, stored, claimKind, "first")
	delete(deallocated.Object, "status")
	if _, err := labeled.claims(stored).UpdateStatus(t.Context(), deallocated, metav1.UpdateOptions{}); err != nil {
		t.Errorf("deallocation of an existing claim: got %v, want no error", err)
	}
}

// tryAdminAccess creates a claim or a template with adminAccess true or false.
func (s space) tryAdminAccess(t *testing.T, version, kind, name string, admin bool) (*object, error) {
	t.Helper()
	o := s.typicalObject(t, version, kind, name)
	path := []string{"spec", "devices", "requests"}
	if kind == templateKind {
		path = append([]string{"spec"}, path...)
	}
	request := nested(o, path...).([]any)[0].(map[string]any)
	if exactly, ok := request["exactly"].(map[string]any); ok {
		request = exactly
	}
	request["adminAccess"] = admin
	delete(o.Object, "status")
	return s.resource(version, kind).Create(t.Context(), o, metav1.CreateOptions{})
}

func (p *plane) applyAdminAccessPolicy(t *testing.T) {
	t.Helper()
	stream := must.Get(config.Manifests(config.Options{
		Group: p.group, Certificates: config.Files, AdminAccessPolicy: true, Only: config.ServerPart,
	}))(t)
	isOther := func(object string) bool { return !strings.Contains(object, "\nkind: ValidatingAdmissionPolicy") }
	policy := slices.DeleteFunc(strings.Split(string(stream), "\n---\n"), isOther)
	if len(policy) != 2 {
		t.Fatalf("got %d objects of the policy, want 2", len(policy))
	}
	must.Do(t, p.Apply(t.Context(), strings.Join(policy, "\n---\n")))
}
