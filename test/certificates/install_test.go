//go:build e2e

package certificates

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

var (
	crds = schema.GroupVersionResource{
		Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions",
	}
	validating = schema.GroupVersionResource{
		Group:    "admissionregistration.k8s.io",
		Version:  "v1",
		Resource: "validatingwebhookconfigurations",
	}
	mutating = schema.GroupVersionResource{
		Group:    "admissionregistration.k8s.io",
		Version:  "v1",
		Resource: "mutatingwebhookconfigurations",
	}
	certificates = schema.GroupVersionResource{Group: "cert-manager.io", Version: "v1", Resource: "certificates"}
)

// installation is the installation of one test, with its own API group, namespace, and names of cluster-scoped objects.
type installation struct {
	name, group string
	service     *service
	replicas    []*replica // including stopped ones
}

// versions are the versions that are served. They are few, because the API server rebuilds all versions of a CRD
// whenever one of sixteen CRDs changes.
var versions = []string{"v1alpha1", "v1alpha2", "v1"}

// install applies the manifests for a source of certificates. If the server writes caBundles itself, they include the
// admission policy that restricts it.
func install(t *testing.T, name string, source config.Certificates) *installation {
	t.Helper()
	i := &installation{name: name, group: name + ".example.com", service: newService(t)}
	stream, err := config.Manifests(config.Options{
		Group: i.group, Namespace: name, Certificates: source, AdmissionPolicy: source == config.Self,
		Versions: versions,
	})
	if err != nil {
		t.Fatal(err)
	}
	for decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(stream), 4096); ; {
		o := &unstructured.Unstructured{}
		if err := decoder.Decode(&o.Object); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		i.create(t, o)
	}
	return i
}

// create creates an object. Without a namespace it has another name, because several installations share the cluster.
// There are no pods in this cluster: the Service refers to a separate port of this machine.
func (i *installation) create(t *testing.T, o *unstructured.Unstructured) {
	t.Helper()
	if o.GetKind() == "Service" {
		o.Object["spec"] = map[string]any{"type": "ExternalName", "externalName": "localhost"}
	}
	if o.GetNamespace() == "" && o.GetName() == "claimbridge" {
		o.SetName(i.name)
		_ = unstructured.SetNestedField(o.Object, i.name, "roleRef", "name")
		if o.GetKind() != "ClusterRoleBinding" {
			unstructured.RemoveNestedField(o.Object, "roleRef")
		}
		if o.GetKind() == "ValidatingAdmissionPolicyBinding" {
			_ = unstructured.SetNestedField(o.Object, i.name, "spec", "policyName")
		}
	}
	if strings.HasPrefix(o.GetName(), "claimbridge-") && o.GetNamespace() == "" {
		return // roles for readers, which all installations share
	}
	for _, r := range slice(o.Object, "rules") {
		if names := slice(r, "resourceNames"); o.GetKind() == "ClusterRole" && len(names) == 1 {
			r.(map[string]any)["resourceNames"] = []any{i.name}
		}
	}
	port := func(where any) {
		if service, ok, _ := unstructured.NestedFieldNoCopy(where.(map[string]any), "clientConfig", "service"); ok {
			service.(map[string]any)["port"] = int64(i.service.port)
		}
	}
	if webhook, ok, _ := unstructured.NestedFieldNoCopy(o.Object, "spec", "conversion", "webhook"); ok {
		port(webhook)
	}
	for _, webhook := range slice(o.Object, "webhooks") {
		port(webhook)
	}
	resource, _ := meta.UnsafeGuessKindToResource(o.GroupVersionKind())
	must.Get(cluster.dynamic.Resource(resource).Namespace(o.GetNamespace()).Create(t.Context(), o,
		metav1.CreateOptions{}))(t)
}

func slice(o any, field string) []any {
	list, _ := o.(map[string]any)[field].([]any)
	return list
}

// dnsName is the name that the API server connects to.
func (i *installation) dnsName() string { return "claimbridge." + i.name + ".svc" }

// bundle returns the current caBundle of the CRD of claims.
func (i *installation) bundle(t *testing.T) []byte {
	t.Helper()
	o := must.Get(cluster.dynamic.Resource(crds).Get(t.Context(), "resourceclaims."+i.group, metav1.GetOptions{}))(t)
	encoded, _, _ := unstructured.NestedString(o.Object, "spec", "conversion", "webhook", "clientConfig", "caBundle")
	return must.Get(base64.StdEncoding.DecodeString(encoded))(t)
}

// generation returns the generation of the CRD of claims, which is the number of writes of its spec.
func (i *installation) generation(t *testing.T) int64 {
	t.Helper()
	o := must.Get(cluster.dynamic.Resource(crds).Get(t.Context(), "resourceclaims."+i.group, metav1.GetOptions{}))(t)
	return o.GetGeneration()
}

// setBundle sets all bundles, as an administrator who manages them manually.
func (i *installation) setBundle(t *testing.T, pem []byte) {
	t.Helper()
	config := map[string]any{"caBundle": base64.StdEncoding.EncodeToString(pem)}
	patch := func(resource schema.GroupVersionResource, name string, kind types.PatchType, content map[string]any) {
		body := must.Get(json.Marshal(content))(t)
		must.Get(cluster.dynamic.Resource(resource).Patch(t.Context(), name, kind, body, metav1.PatchOptions{}))(t)
	}
	for _, plural := range []string{"resourceclaims.", "resourceclaimtemplates."} {
		patch(crds, plural+i.group, types.MergePatchType, map[string]any{
			"spec": map[string]any{"conversion": map[string]any{"webhook": map[string]any{"clientConfig": config}}},
		})
	}
	for _, resource := range []schema.GroupVersionResource{validating, mutating} {
		webhook := map[schema.GroupVersionResource]string{
			validating: "validate.claimbridge.dev", mutating: "default.claimbridge.dev",
		}[resource]
		patch(resource, i.name, types.StrategicMergePatchType, map[string]any{
			"webhooks": []any{map[string]any{"name": webhook, "clientConfig": config}},
		})
	}
}

// waitForCRD waits until the API server has seen the last write of the CRD. It writes a deprecation warning, and waits
// until requests return it.
func (i *installation) waitForCRD(t *testing.T) {
	t.Helper()
	const mark = "the API server has seen the previous write"
	patch := []byte(`[{"op":"add","path":"/spec/versions/1/deprecationWarning","value":"` + mark + `"}]`)
	if _, err := cluster.dynamic.Resource(crds).Patch(t.Context(), "resourceclaims."+i.group, types.JSONPatchType,
		patch, metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	var warnings lastWarning
	config := rest.CopyConfig(cluster.Config)
	config.WarningHandler, config.WarningHandlerWithContext = &warnings, nil
	client := must.Get(dynamic.NewForConfig(config))(t)
	await.NoError(t, "the API server sees the last write", func() error {
		_, err := client.Resource(i.claims("v1alpha1")).Namespace(i.name).List(t.Context(), metav1.ListOptions{})
		if err == nil && !strings.Contains(string(warnings), mark) {
			return fmt.Errorf("got warning %q, want %q", warnings, mark)
		}
		return err
	})
}

// lastWarning is the last warning of an API server.
type lastWarning string

// HandleWarningHeader implements [rest.WarningHandler].
func (w *lastWarning) HandleWarningHeader(_ int, _, text string) { *w = lastWarning(text) }

// claims returns the resource of claims in a version. They are created in the stored version, and read in an older one,
// so that each read is a conversion.
func (i *installation) claims(version string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: i.group, Version: version, Resource: "resourceclaims"}
}

func (i *installation) newClaim(name string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": i.group + "/v1",
		"kind":       "ResourceClaim",
		"metadata":   map[string]any{"name": name, "namespace": i.name},
		"spec": map[string]any{"devices": map[string]any{"requests": []any{map[string]any{
			"name": "gpu",
			"exactly": map[string]any{
				"deviceClassName": "gpu.example.com", "allocationMode": "ExactCount", "count": int64(1),
			},
		}}}},
	}}
}

// createClaim creates a claim. It retries, because the API server needs a while to serve a new definition and to see a
// caBundle.
func (i *installation) createClaim(t *testing.T, name string) {
	t.Helper()
	await.NoError(t, "a claim is created", func() error {
		_, err := cluster.dynamic.Resource(i.claims("v1")).Namespace(i.name).Create(t.Context(), i.newClaim(name),
			metav1.CreateOptions{})
		if apierrors.IsAlreadyExists(err) {
			return nil
		}
		return err
	})
}

// conversionReview returns a ConversionReview of one claim, for clients that call the webhook directly.
func (i *installation) conversionReview() string {
	const template = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview",
"request":{"uid":"1","desiredAPIVersion":"GROUP/v1alpha3","objects":[
{"apiVersion":"GROUP/v1alpha1","kind":"ResourceClaim","metadata":{"name":"a"},
"spec":{"resourceClassName":"gpu.example.com"}}]}}`
	return strings.NewReplacer("\n", "", "GROUP", i.group).Replace(template)
}
