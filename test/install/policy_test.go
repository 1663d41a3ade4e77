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

	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/certs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

var (
	customResourceDefinitions = schema.GroupVersionResource{
		Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions",
	}
	mutatingConfigurations = schema.GroupVersionResource{
		Group:    "admissionregistration.k8s.io",
		Version:  "v1",
		Resource: "mutatingwebhookconfigurations",
	}
	validatingConfigurations = schema.GroupVersionResource{
		Group:    "admissionregistration.k8s.io",
		Version:  "v1",
		Resource: "validatingwebhookconfigurations",
	}
)

// addLabel is an abuse that shows whether the policy is enforced.
const addLabel = `[{"op": "add", "path": "/metadata/labels/abused", "value": "yes"}]`

// patchTarget is an object that the server's account may patch.
type patchTarget struct {
	resource schema.GroupVersionResource
	name     string
	// clientConfig is the JSON pointer of the object that has the caBundle.
	clientConfig string
	// abuseGroup is the key of testdata/abuses.yaml with the abuses for the resource. Abuses of metadata are for all.
	abuseGroup string
}

func (i *installation) patchTargets() []patchTarget {
	const conversion, webhook = "/spec/conversion/webhook/clientConfig", "/webhooks/0/clientConfig"
	return []patchTarget{
		{customResourceDefinitions, "resourceclaims." + i.group, conversion, "definitions"},
		{customResourceDefinitions, "resourceclaimtemplates." + i.group, conversion, "definitions"},
		{mutatingConfigurations, "claimbridge", webhook, "configurations"},
		{validatingConfigurations, "claimbridge", webhook, "configurations"},
	}
}

// checkPolicy checks that the policy allows the server's account to change only the caBundle of its objects. It also
// checks that each abuse is accepted without the policy, so that only the policy rejects it.
func (i *installation) checkPolicy(t *testing.T) {
	i.Kubectl(t, nil, "delete", "validatingadmissionpolicy,validatingadmissionpolicybinding", "claimbridge")
	i.apply(t, i.stream(t, false))
	targets := i.patchTargets()
	account := i.serverAccount(t, i.namespace)
	ca := certs.New(t, "a CA", certs.Day).Certificate
	for _, kind := range []string{"mutating", "validating"} { // so that an abuse can remove this optional field
		i.Kubectl(t, nil, "patch", kind+"webhookconfiguration", "claimbridge", "--type=json", "-p",
			`[{"op": "add", "path": "/webhooks/0/matchConditions", "value": [{"name": "always", "expression": `+
				`"true"}]}]`)
	}
	await.NoError(t, "the policy is not enforced anymore", func() error {
		return targets[0].patch(t, account, addLabel)
	})
	for _, target := range targets {
		if err := target.publish(t, account, ca); err != nil {
			t.Errorf("%s: write the caBundle without the policy: %v", target, err)
		}
		for name, patch := range target.abuses(t) {
			if err := target.patch(t, account, patch); err != nil {
				t.Errorf("%s: %s: want it accepted without the policy, got %v", target, name, err)
			}
		}
	}
	i.apply(t, i.stream(t, true))
	await.NoError(t, "the policy is enforced", func() error {
		if err := targets[0].patch(t, account, addLabel); !isRejectedByPolicy(err) {
			return errors.Join(errors.New("the policy did not reject a label"), err)
		}
		return nil
	})
	for _, target := range targets {
		for name, patch := range target.abuses(t) {
			if err := target.patch(t, account, patch); !isRejectedByPolicy(err) {
				t.Errorf("%s: %s: want it rejected by the policy, got %v", target, name, err)
			}
		}
		if err := target.publish(t, account, ca); err != nil {
			t.Errorf("%s: write the caBundle with the policy: %v", target, err)
		}
		if err := target.patch(t, i.dynamic, addLabel); err != nil {
			t.Errorf("%s: want a label by an administrator accepted, got %v", target, err)
		}
	}
	i.checkPolicyForClusterAdmin(t, account)
}

// checkPolicyForClusterAdmin checks that the policy rejects delete, create and status requests of the server's account
// even if RBAC allows them.
func (i *installation) checkPolicyForClusterAdmin(t *testing.T, account dynamic.Interface) {
	targets := i.patchTargets()
	i.Kubectl(t, nil, "create", "clusterrolebinding", "policed-admin", "--clusterrole=cluster-admin",
		"--serviceaccount="+i.namespace+":claimbridge")
	defer i.Kubectl(t, nil, "delete", "clusterrolebinding", "policed-admin")
	for _, target := range targets {
		await.NoError(t, "the policy rejects a delete request", func() error {
			err := account.Resource(target.resource).Delete(t.Context(), target.name,
				metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}})
			if !isRejectedByPolicy(err) {
				return errors.Join(fmt.Errorf("%s: delete: want it rejected by the policy", target), err)
			}
			return nil
		})
		evil := must.Get(i.dynamic.Resource(target.resource).Get(t.Context(), target.name, metav1.GetOptions{}))(t)
		name := "evil"
		if target.resource == customResourceDefinitions {
			name = strings.Replace(target.name, ".", ".evil.", 1)
			_ = unstructured.SetNestedField(evil.Object, "evil."+i.group, "spec", "group")
		}
		evil.SetName(name)
		evil.SetResourceVersion("")
		evil.SetManagedFields(nil)
		create := metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}
		if _, err := i.dynamic.Resource(target.resource).Create(t.Context(), evil, create); err != nil {
			t.Errorf("%s: create: want it accepted for an administrator, got %v", target, err)
		}
		if _, err := account.Resource(target.resource).Create(t.Context(), evil, create); !isRejectedByPolicy(err) {
			t.Errorf("%s: create: want it rejected by the policy, got %v", target, err)
		}
	}
	patch := []byte(`[{"op": "add", "path": "/status/storedVersions/-", "value": "v1alpha1"}]`)
	_, err := account.Resource(customResourceDefinitions).Patch(t.Context(), targets[0].name, types.JSONPatchType, patch,
		metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}}, "status")
	if !isRejectedByPolicy(err) {
		t.Errorf("status of a CRD: want it rejected by the policy, got %v", err)
	}
}

func isRejectedByPolicy(err error) bool {
	return err != nil && strings.Contains(err.Error(),
		"ValidatingAdmissionPolicy 'claimbridge' with binding 'claimbridge' denied request: the claimbridge "+
			"service account can")
}

func (p patchTarget) String() string { return p.resource.Resource + " " + p.name }

// abuses returns JSON patches that the policy must reject, by name.
func (p patchTarget) abuses(t *testing.T) map[string]string {
	t.Helper()
	groups := parseYAML[map[string]map[string]any](t, string(must.Get(os.ReadFile("testdata/abuses.yaml"))(t)))
	abuses := map[string]string{}
	for _, group := range []string{"metadata", p.abuseGroup} {
		for name, patch := range groups[group] {
			abuses[name] = strings.ReplaceAll(string(must.Get(json.Marshal(patch))(t)), "CLIENT", p.clientConfig)
		}
	}
	return abuses
}

// patch sends a JSON patch as a dry run.
func (p patchTarget) patch(t *testing.T, client dynamic.Interface, patch string) error {
	t.Helper()
	_, err := client.Resource(p.resource).Patch(t.Context(), p.name, types.JSONPatchType, []byte(patch),
		metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
	return err
}

// publish writes a CA to the caBundle as the server does.
func (p patchTarget) publish(t *testing.T, client dynamic.Interface, ca []byte) error {
	t.Helper()
	caBundle := base64.StdEncoding.EncodeToString(ca)
	patchType := types.StrategicMergePatchType
	var patch string
	switch p.resource {
	case mutatingConfigurations:
		patch = webhookPatch("default.claimbridge.dev", caBundle)
	case validatingConfigurations:
		patch = webhookPatch("validate.claimbridge.dev", caBundle)
	default:
		patchType = types.MergePatchType
		patch = fmt.Sprintf(`{"spec": {"conversion": {"webhook": {"clientConfig": {"caBundle": "%s"}}}}}`, caBundle)
	}
	_, err := client.Resource(p.resource).Patch(t.Context(), p.name, patchType, []byte(patch),
		metav1.PatchOptions{FieldManager: "claimbridge"})
	return err
}

func webhookPatch(webhook, caBundle string) string {
	return fmt.Sprintf(`{"webhooks": [{"name": "%s", "clientConfig": {"caBundle": "%s"}}]}`, webhook, caBundle)
}
