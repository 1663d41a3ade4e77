//go:build e2e

package install

import (
	"encoding/base64"
	"errors"
	"fmt"
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
	definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	mutating    = schema.GroupVersionResource{Group: "admissionregistration.k8s.io", Version: "v1", Resource: "mutatingwebhookconfigurations"}
	validating  = schema.GroupVersionResource{Group: "admissionregistration.k8s.io", Version: "v1", Resource: "validatingwebhookconfigurations"}
)

// target is an object that the server's account may patch, and where its caBundle is.
type target struct {
	resource     schema.GroupVersionResource
	name, client string
	// abuses are JSON patches that would be accepted from an administrator.
	abuses map[string]string
}

func (i *installation) targets() []target {
	return []target{
		{definitions, "resourceclaims." + i.group, "/spec/conversion/webhook/clientConfig", abusesOfDefinitions},
		{definitions, "resourceclaimtemplates." + i.group, "/spec/conversion/webhook/clientConfig", abusesOfDefinitions},
		{mutating, "claimbridge", "/webhooks/0/clientConfig", abusesOfConfigurations},
		{validating, "claimbridge", "/webhooks/0/clientConfig", abusesOfConfigurations},
	}
}

const podsAndSecrets = `[{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"], "resources": ["pods", "secrets"]}]`

var abusesOfMetadata = map[string]string{
	"a label":           `[{"op": "add", "path": "/metadata/labels/abused", "value": "yes"}]`,
	"no labels":         `[{"op": "remove", "path": "/metadata/labels"}]`,
	"an annotation":     `[{"op": "add", "path": "/metadata/annotations", "value": {"cert-manager.io/inject-ca-from": "evil/evil"}}]`,
	"a finalizer":       `[{"op": "add", "path": "/metadata/finalizers", "value": ["example.com/abused"]}]`,
	"an owner":          `[{"op": "add", "path": "/metadata/ownerReferences", "value": [{"apiVersion": "v1", "kind": "Namespace", "name": "a", "uid": "b"}]}]`,
	"no CA bundle":      `[{"op": "remove", "path": "CLIENT/caBundle"}]`,
	"a URL":             `[{"op": "remove", "path": "CLIENT/service"}, {"op": "add", "path": "CLIENT/url", "value": "https://evil.example.com/"}]`,
	"another Service":   `[{"op": "replace", "path": "CLIENT/service/name", "value": "evil"}]`,
	"another namespace": `[{"op": "replace", "path": "CLIENT/service/namespace", "value": "evil"}]`,
	"another path":      `[{"op": "replace", "path": "CLIENT/service/path", "value": "/evil"}]`,
	"another port":      `[{"op": "replace", "path": "CLIENT/service/port", "value": 8443}]`,
	"no path":           `[{"op": "remove", "path": "CLIENT/service/path"}]`,
}

var abusesOfConfigurations = map[string]string{
	"one more webhook, for pods and secrets": `[{"op": "add", "path": "/webhooks/-", "value": {"name": "evil.example.com", "sideEffects": "None",
		"admissionReviewVersions": ["v1"], "clientConfig": {"url": "https://evil.example.com/"}, "rules": ` + podsAndSecrets + `}}]`,
	"the webhook twice, for pods and secrets": `[{"op": "copy", "from": "/webhooks/0", "path": "/webhooks/-"},
		{"op": "replace", "path": "/webhooks/1/name", "value": "evil.example.com"}, {"op": "replace", "path": "/webhooks/1/rules", "value": ` + podsAndSecrets + `}]`,
	"other rules":          `[{"op": "replace", "path": "/webhooks/0/rules", "value": ` + podsAndSecrets + `}]`,
	"one more resource":    `[{"op": "add", "path": "/webhooks/0/rules/0/resources/-", "value": "secrets"}]`,
	"one more operation":   `[{"op": "add", "path": "/webhooks/0/rules/0/operations/-", "value": "DELETE"}]`,
	"no webhooks":          `[{"op": "replace", "path": "/webhooks", "value": []}]`,
	"no list of webhooks":  `[{"op": "remove", "path": "/webhooks"}]`,
	"another name":         `[{"op": "replace", "path": "/webhooks/0/name", "value": "evil.example.com"}]`,
	"failures are ignored": `[{"op": "replace", "path": "/webhooks/0/failurePolicy", "value": "Ignore"}]`,
	"another timeout":      `[{"op": "replace", "path": "/webhooks/0/timeoutSeconds", "value": 1}]`,
	"other side effects":   `[{"op": "test", "path": "/webhooks/0/sideEffects", "value": "None"}, {"op": "replace", "path": "/webhooks/0/sideEffects", "value": "NoneOnDryRun"}]`,
	"a selector":           `[{"op": "add", "path": "/webhooks/0/objectSelector", "value": {"matchLabels": {"judged": "no"}}}]`,
	"a condition":          `[{"op": "replace", "path": "/webhooks/0/matchConditions", "value": [{"name": "never", "expression": "false"}]}]`,
	"no conditions":        `[{"op": "remove", "path": "/webhooks/0/matchConditions"}]`,
	"one more version":     `[{"op": "add", "path": "/webhooks/0/admissionReviewVersions/-", "value": "v1beta1"}]`,
}

var abusesOfDefinitions = map[string]string{
	"no conversion":             `[{"op": "replace", "path": "/spec/conversion", "value": {"strategy": "None"}}]`,
	"one more review version":   `[{"op": "add", "path": "/spec/conversion/webhook/conversionReviewVersions/-", "value": "v1beta1"}]`,
	"a version is not served":   `[{"op": "replace", "path": "/spec/versions/1/served", "value": false}]`,
	"another version is stored": `[{"op": "replace", "path": "/spec/versions/0/storage", "value": false}, {"op": "replace", "path": "/spec/versions/1/storage", "value": true}]`,
	"another schema":            `[{"op": "add", "path": "/spec/versions/2/schema/openAPIV3Schema/properties/evil", "value": {"type": "string"}}]`,
	"no warning":                `[{"op": "replace", "path": "/spec/versions/1/deprecated", "value": false}, {"op": "remove", "path": "/spec/versions/1/deprecationWarning"}]`,
	"one more short name":       `[{"op": "add", "path": "/spec/names/shortNames/-", "value": "evil"}]`,
	"one more category":         `[{"op": "add", "path": "/spec/names/categories/-", "value": "all"}]`,
}

// policy: with it the account of the server changes the caBundle of its objects and nothing else. Each abuse is tried without a
// policy too: then it is accepted, so that what refuses it is the policy.
func (i *installation) policy(t *testing.T) {
	i.Kubectl(t, nil, "delete", "validatingadmissionpolicy,validatingadmissionpolicybinding", "claimbridge")
	i.apply(t, i.stream(t, false))
	targets, account, ca := i.targets(), i.account(t, i.namespace), certs.New(t, "a CA", certs.Day).Certificate
	for _, kind := range []string{"mutating", "validating"} { // for an optional field that the account could take away
		i.Kubectl(t, nil, "patch", kind+"webhookconfiguration", "claimbridge", "--type=json", "-p",
			`[{"op": "add", "path": "/webhooks/0/matchConditions", "value": [{"name": "always", "expression": "true"}]}]`)
	}
	await.NoError(t, "no policy holds the account", func() error { return targets[0].patch(t, account, abusesOfMetadata["a label"]) })
	for _, target := range targets {
		if err := target.publish(t, account, ca); err != nil {
			t.Errorf("%s: without a policy: %v", target, err)
		}
		for name, patch := range target.all() {
			if err := target.patch(t, account, patch); err != nil {
				t.Errorf("%s: %s: this is no abuse, it is refused anyway: %v", target, name, err)
			}
		}
	}
	i.apply(t, i.stream(t, true))
	await.NoError(t, "the policy is enforced", func() error {
		if err := targets[0].patch(t, account, abusesOfMetadata["a label"]); !refusedByPolicy(err) {
			return errors.Join(errors.New("not refused by the policy"), err)
		}
		return nil
	})
	for _, target := range targets {
		for name, patch := range target.all() {
			if err := target.patch(t, account, patch); !refusedByPolicy(err) {
				t.Errorf("%s: %s: want it refused by the policy, got %v", target, name, err)
			}
		}
		if err := target.publish(t, account, ca); err != nil {
			t.Errorf("%s: a new bundle: %v", target, err)
		}
		if err := target.patch(t, i.dynamic, abusesOfMetadata["a label"]); err != nil {
			t.Errorf("%s: the policy is for administrators too: %v", target, err)
		}
	}
	i.policyDespiteRights(t, account)
}

// policyDespiteRights: what the account has no right to is refused to it even when somebody gives it every right.
func (i *installation) policyDespiteRights(t *testing.T, account dynamic.Interface) {
	targets := i.targets()
	i.Kubectl(t, nil, "create", "clusterrolebinding", "policed-admin", "--clusterrole=cluster-admin", "--serviceaccount="+i.namespace+":claimbridge")
	defer i.Kubectl(t, nil, "delete", "clusterrolebinding", "policed-admin")
	for _, target := range targets {
		await.NoError(t, "RBAC has heard of it", func() error {
			err := account.Resource(target.resource).Delete(t.Context(), target.name, metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}})
			if !refusedByPolicy(err) {
				return errors.Join(fmt.Errorf("%s: delete: want it refused by the policy", target), err)
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
		if _, err := account.Resource(target.resource).Create(t.Context(), evil, create); !refusedByPolicy(err) {
			t.Errorf("%s: create: want it refused by the policy, got %v", target, err)
		}
	}
	stored := []byte(`[{"op": "add", "path": "/status/storedVersions/-", "value": "v1alpha1"}]`)
	if _, err := account.Resource(definitions).Patch(t.Context(), targets[0].name, types.JSONPatchType, stored,
		metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}}, "status"); !refusedByPolicy(err) {
		t.Errorf("a status: want it refused by the policy, got %v", err)
	}
}

func refusedByPolicy(err error) bool {
	return err != nil && strings.Contains(err.Error(), "ValidatingAdmissionPolicy 'claimbridge' with binding 'claimbridge' denied request: the account of claimbridge may ")
}

func (x target) String() string { return x.resource.Resource + " " + x.name }

func (x target) all() map[string]string {
	all := map[string]string{}
	for _, some := range []map[string]string{abusesOfMetadata, x.abuses} {
		for name, patch := range some {
			all[name] = strings.ReplaceAll(patch, "CLIENT", x.client)
		}
	}
	return all
}

// patch that is not stored.
func (x target) patch(t *testing.T, client dynamic.Interface, patch string) error {
	t.Helper()
	_, err := client.Resource(x.resource).Patch(t.Context(), x.name, types.JSONPatchType, []byte(patch), metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
	return err
}

// publish a CA as the server does.
func (x target) publish(t *testing.T, client dynamic.Interface, ca []byte) error {
	t.Helper()
	kind, body := types.StrategicMergePatchType, `{"webhooks": [{"name": "%s", "clientConfig": {"caBundle": "%s"}}]}`
	webhook := map[schema.GroupVersionResource]string{mutating: "default.claimbridge.dev", validating: "validate.claimbridge.dev"}[x.resource]
	if x.resource == definitions {
		kind, body = types.MergePatchType, `{"spec": {"conversion": {"webhook": {"clientConfig": {"caBundle": "%[2]s"}}}}}`
	}
	_, err := client.Resource(x.resource).Patch(t.Context(), x.name, kind, fmt.Appendf(nil, body, webhook, base64.StdEncoding.EncodeToString(ca)),
		metav1.PatchOptions{FieldManager: "claimbridge"})
	return err
}
