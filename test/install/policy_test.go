//go:build e2e

package install

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/certs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

var (
	definitions = schema.GroupVersionResource{
		Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions",
	}
	mutating = schema.GroupVersionResource{
		Group:    "admissionregistration.k8s.io",
		Version:  "v1",
		Resource: "mutatingwebhookconfigurations",
	}
	validating = schema.GroupVersionResource{
		Group:    "admissionregistration.k8s.io",
		Version:  "v1",
		Resource: "validatingwebhookconfigurations",
	}
)

// addLabel is the abuse that is tried until the policy is active.
const addLabel = `[{"op": "add", "path": "/metadata/labels/abused", "value": "yes"}]`

// target is an object that the server's account may patch, and where its caBundle is.
type target struct {
	resource     schema.GroupVersionResource
	name, client string
	// abuses are the part of testdata/abuses.yaml that is about it, beside that of metadata.
	abuses string
}

func (i *installation) targets() []target {
	return []target{
		{definitions, "resourceclaims." + i.group, "/spec/conversion/webhook/clientConfig", "definitions"},
		{definitions, "resourceclaimtemplates." + i.group, "/spec/conversion/webhook/clientConfig", "definitions"},
		{mutating, "claimbridge", "/webhooks/0/clientConfig", "configurations"},
		{validating, "claimbridge", "/webhooks/0/clientConfig", "configurations"},
	}
}

// policy checks that the server's account can change only the caBundle of its objects. Each abuse is accepted without
// the policy, so it is the policy that rejects it.
func (i *installation) policy(t *testing.T) {
	i.Kubectl(t, nil, "delete", "validatingadmissionpolicy,validatingadmissionpolicybinding", "claimbridge")
	i.apply(t, i.stream(t, false))
	targets, account, ca := i.targets(), i.account(t, i.namespace), certs.New(t, "a CA", certs.Day).Certificate
	for _, kind := range []string{"mutating", "validating"} { // for an optional field that the account could remove
		i.Kubectl(t, nil, "patch", kind+"webhookconfiguration", "claimbridge", "--type=json", "-p",
			`[{"op": "add", "path": "/webhooks/0/matchConditions", "value": [{"name": "always", "expression": `+
				`"true"}]}]`)
	}
	await.NoError(t, "no policy holds the account", func() error { return targets[0].patch(t, account, addLabel) })
	for _, target := range targets {
		if err := target.publish(t, account, ca); err != nil {
			t.Errorf("%s: without a policy: %v", target, err)
		}
		for name, patch := range target.all(t) {
			if err := target.patch(t, account, patch); err != nil {
				t.Errorf("%s: %s: this is no abuse, it is rejected anyway: %v", target, name, err)
			}
		}
	}
	i.apply(t, i.stream(t, true))
	await.NoError(t, "the policy is enforced", func() error {
		if err := targets[0].patch(t, account, addLabel); !isRejectedByPolicy(err) {
			return errors.Join(errors.New("not refused by the policy"), err)
		}
		return nil
	})
	for _, target := range targets {
		for name, patch := range target.all(t) {
			if err := target.patch(t, account, patch); !isRejectedByPolicy(err) {
				t.Errorf("%s: %s: want it rejected by the policy, got %v", target, name, err)
			}
		}
		if err := target.publish(t, account, ca); err != nil {
			t.Errorf("%s: a new bundle: %v", target, err)
		}
		if err := target.patch(t, i.dynamic, addLabel); err != nil {
			t.Errorf("%s: the policy is for administrators too: %v", target, err)
		}
	}
	i.policyDespiteRights(t, account)
}

// policyDespiteRights checks that the policy also rejects these changes if the account gets all permissions.
func (i *installation) policyDespiteRights(t *testing.T, account dynamic.Interface) {
	targets := i.targets()
	i.Kubectl(t, nil, "create", "clusterrolebinding", "policed-admin", "--clusterrole=cluster-admin",
		"--serviceaccount="+i.namespace+":claimbridge")
	defer i.Kubectl(t, nil, "delete", "clusterrolebinding", "policed-admin")
	for _, target := range targets {
		await.NoError(t, "RBAC has heard of it", func() error {
			err := account.Resource(target.resource).Delete(t.Context(), target.name,
				metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}})
			if !isRejectedByPolicy(err) {
				return errors.Join(fmt.Errorf("%s: delete: want it rejected by the policy", target), err)
			}
			return nil
		})
		evil := must.Get(i.dynamic.Resource(target.resource).Get(t.Context(), target.name, metav1.GetOptions{}))(t)
		name := "evil"
		if target.resource == definitions {
			name = strings.Replace(target.name, ".", ".evil.", 1)
			_ = unstructured.SetNestedField(evil.Object, "evil."+i.group, "spec", "group")
		}
		evil.SetName(name)
		evil.SetResourceVersion("")
		evil.SetManagedFields(nil)
		create := metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}
		if _, err := i.dynamic.Resource(target.resource).Create(t.Context(), evil, create); err != nil {
			t.Errorf("%s: create: this is no abuse: %v", target, err)
		}
		if _, err := account.Resource(target.resource).Create(t.Context(), evil, create); !isRejectedByPolicy(err) {
			t.Errorf("%s: create: want it rejected by the policy, got %v", target, err)
		}
	}
	stored := []byte(`[{"op": "add", "path": "/status/storedVersions/-", "value": "v1alpha1"}]`)
	if _, err := account.Resource(definitions).Patch(t.Context(), targets[0].name, types.JSONPatchType, stored,
		metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}}, "status"); !isRejectedByPolicy(err) {
		t.Errorf("a status: want it rejected by the policy, got %v", err)
	}
}

func isRejectedByPolicy(err error) bool {
	return err != nil && strings.Contains(err.Error(),
		"ValidatingAdmissionPolicy 'claimbridge' with binding 'claimbridge' denied request: the account of "+
			"claimbridge may ")
}

func (x target) String() string { return x.resource.Resource + " " + x.name }

// all abuses of it, which are JSON patches, by what they are.
func (x target) all(t *testing.T) map[string]string {
	t.Helper()
	var abuses map[string]map[string]any
	must.Do(t, yaml.Unmarshal(must.Get(os.ReadFile("testdata/abuses.yaml"))(t), &abuses))
	all := map[string]string{}
	for _, part := range []string{"metadata", x.abuses} {
		for name, patch := range abuses[part] {
			all[name] = strings.ReplaceAll(string(must.Get(json.Marshal(patch))(t)), "CLIENT", x.client)
		}
	}
	return all
}

// patch that is not stored.
func (x target) patch(t *testing.T, client dynamic.Interface, patch string) error {
	t.Helper()
	_, err := client.Resource(x.resource).Patch(t.Context(), x.name, types.JSONPatchType, []byte(patch),
		metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
	return err
}

// publish a CA as the server does.
func (x target) publish(t *testing.T, client dynamic.Interface, ca []byte) error {
	t.Helper()
	kind, body := types.StrategicMergePatchType, `{"webhooks": [{"name": "%s", "clientConfig": {"caBundle": "%s"}}]}`
	webhook := map[schema.GroupVersionResource]string{
		mutating: "default.claimbridge.dev", validating: "validate.claimbridge.dev",
	}[x.resource]
	if x.resource == definitions {
		kind = types.MergePatchType
		body = `{"spec": {"conversion": {"webhook": {"clientConfig": {"caBundle": "%[2]s"}}}}}`
	}
	_, err := client.Resource(x.resource).Patch(t.Context(), x.name, kind,
		fmt.Appendf(nil, body, webhook, base64.StdEncoding.EncodeToString(ca)),
		metav1.PatchOptions{FieldManager: "claimbridge"})
	return err
}
