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

// With the policy of the manifests, only namespaces with the label can have claims and templates with admin access, in
// every version. Existing ones can still be changed after the label is removed.
func TestAdminAccessPolicy(t *testing.T) {
	t.Parallel()
	p := *ownGroup
	p.name, p.group = "admin access", "admin.example.com"
	p.webhook = webhooktest.Run(t, p.Config, webhooktest.Options{Group: p.group})
	p.applyAdminAccessPolicy(t)
	admins, others := p.space(t), p.space(t)
	namespaces := p.client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"})
	label := func(value string) {
		t.Helper()
		patch := fmt.Sprintf(`{"metadata":{"labels":{"resource.kubernetes.io/admin-access":%s}}}`, value)
		must.Get(namespaces.Patch(t.Context(), admins.namespace, types.MergePatchType, []byte(patch),
			metav1.PatchOptions{}))(t)
	}
	label(`"true"`)
	await.NoError(t, "refuse by the policy", func() error {
		if _, err := others.tryAdmin(t, stored, claimKind, "early", true); err == nil {
			return errors.Join(errors.New("accepted"),
				others.claims(stored).Delete(t.Context(), "early", metav1.DeleteOptions{}))
		}
		return nil
	})
	await.NoError(t, "see the label", func() error {
		_, err := admins.tryAdmin(t, stored, claimKind, "first", true)
		return err
	})
	for _, version := range []string{"v1alpha3", "v1beta1", "v1beta2", "v1"} {
		for kind := range plurals {
			name := strings.ToLower(kind) + "-" + version
			if _, err := admins.tryAdmin(t, version, kind, name, true); err != nil {
				t.Errorf("%s of %s in a namespace with the label: %v", kind, version, err)
			}
			if _, err := others.tryAdmin(t, version, kind, name, true); !apierrors.IsInvalid(err) ||
				!strings.Contains(err.Error(), "admin-access: true` label on the containing namespace") {
				t.Errorf("%s of %s in another: %v", kind, version, err)
			}
			if _, err := others.tryAdmin(t, version, kind, name, false); err != nil {
				t.Errorf("%s of %s without admin access: %v", kind, version, err)
			}
		}
	}
	// Data that v1alpha1 can't represent is preserved in annotations.
	copied := admins.get(t, "v1alpha1", claimKind, "first")
	copied.Object["metadata"] = map[string]any{
		"name":        "smuggled",
		"annotations": copied.Object["metadata"].(map[string]any)["annotations"],
	}
	if _, err := others.claims("v1alpha1").Create(t.Context(), copied, metav1.CreateOptions{}); err == nil {
		t.Errorf("an old version brought it: %v", others.get(t, stored, claimKind, "smuggled").Object["spec"])
	}
	results := []any{
		map[string]any{"request": "gpu", "driver": "d.example.com", "pool": "p", "device": "d", "adminAccess": true},
	}
	allocated := func(s space, name string) error {
		o := set(t, s.get(t, stored, claimKind, name), results, "status", "allocation", "devices", "results")
		_, err := s.claims(stored).UpdateStatus(t.Context(), o, metav1.UpdateOptions{})
		return err
	}
	if err := allocated(admins, "first"); err != nil {
		t.Errorf("a status with the label: %v", err)
	}
	if err := allocated(others, "resourceclaim-v1"); !apierrors.IsInvalid(err) {
		t.Errorf("a status without the label: %v", err)
	}

	label("null")
	await.NoError(t, "miss the label", func() error {
		if _, err := admins.tryAdmin(t, stored, claimKind, "late", true); err == nil {
			return errors.Join(errors.New("accepted"),
				admins.claims(stored).Delete(t.Context(), "late", metav1.DeleteOptions{}))
		}
		return nil
	})
	if err := admins.label(t, "v1beta1", "first", map[string]string{"a": "b"}); err != nil {
		t.Errorf("a label on what was there before: %v", err)
	}
	freed := admins.get(t, stored, claimKind, "first")
	delete(freed.Object, "status")
	if _, err := admins.claims(stored).UpdateStatus(t.Context(), freed, metav1.UpdateOptions{}); err != nil {
		t.Errorf("what was there before is freed: %v", err)
	}
}

// tryAdmin creates a claim or a template with adminAccess true or false.
func (s space) tryAdmin(t *testing.T, version, kind, name string, admin bool) (*object, error) {
	t.Helper()
	o := s.typical(t, version, kind, name)
	path := []string{"spec", "devices", "requests"}
	if kind == templateKind {
		path = append([]string{"spec"}, path...)
	}
	request := nested(o, path...).([]any)[0].(map[string]any)
	if inside, ok := request["exactly"].(map[string]any); ok {
		request = inside
	}
	request["adminAccess"] = admin
	delete(o.Object, "status")
	return s.of(version, kind).Create(t.Context(), o, metav1.CreateOptions{})
}

func (p *plane) applyAdminAccessPolicy(t *testing.T) {
	t.Helper()
	stream := must.Get(config.Manifests(config.Options{
		Group: p.group, Certificates: config.Files, AdminAccessPolicy: true, Only: config.ServerPart,
	}))(t)
	isOther := func(object string) bool { return !strings.Contains(object, "\nkind: ValidatingAdmissionPolicy") }
	policy := slices.DeleteFunc(strings.Split(string(stream), "\n---\n"), isOther)
	if len(policy) != 2 {
		t.Fatalf("%d objects of the policy", len(policy))
	}
	must.Do(t, p.Apply(t.Context(), strings.Join(policy, "\n---\n")))
}
