package certificates

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"
)

var (
	crds       = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	validating = schema.GroupVersionResource{Group: "admissionregistration.k8s.io", Version: "v1", Resource: "validatingwebhookconfigurations"}
	mutating   = schema.GroupVersionResource{Group: "admissionregistration.k8s.io", Version: "v1", Resource: "mutatingwebhookconfigurations"}
)

// installation of one test: its API group, and a namespace and webhook configurations of the same name.
type installation struct {
	name, group string
	service     *service
}

// install what a cluster gets, without a CA bundle: the CRDs, the webhook configurations, the Service.
func install(t *testing.T, name string) *installation {
	t.Helper()
	i := &installation{name: name, group: name + ".example.com", service: newService(t)}
	create(t, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}})
	if _, err := cluster.core.CoreV1().Services(name).Create(t.Context(), &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: "claimbridge"},
		Spec:       corev1.ServiceSpec{Type: corev1.ServiceTypeExternalName, ExternalName: "localhost"},
	}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, plural := range []string{"resourceclaims", "resourceclaimtemplates"} {
		i.create(t, crds, i.crd(t, plural))
	}
	for resource, kind := range map[schema.GroupVersionResource]string{
		validating: "ValidatingWebhookConfiguration", mutating: "MutatingWebhookConfiguration",
	} {
		i.create(t, resource, &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "admissionregistration.k8s.io/v1", "kind": kind, "metadata": map[string]any{"name": name},
			"webhooks": []any{map[string]any{
				"name": "validate.claimbridge.dev", "admissionReviewVersions": []any{"v1"}, "sideEffects": "None",
				"clientConfig": i.clientConfig("/validate"),
				"rules": []any{map[string]any{
					"apiGroups": []any{i.group}, "apiVersions": []any{"*"}, "operations": []any{"CREATE", "UPDATE"},
					"resources": []any{"resourceclaims", "resourceclaimtemplates"},
				}},
			}},
		}})
	}
	return i
}

func create(t *testing.T, namespace *corev1.Namespace) {
	t.Helper()
	if _, err := cluster.core.CoreV1().Namespaces().Create(t.Context(), namespace, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

func (i *installation) create(t *testing.T, resource schema.GroupVersionResource, o *unstructured.Unstructured) {
	t.Helper()
	if _, err := cluster.dynamic.Resource(resource).Create(t.Context(), o, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

func (i *installation) clientConfig(path string) map[string]any {
	return map[string]any{"service": map[string]any{
		"namespace": i.name, "name": "claimbridge", "port": int64(i.service.port), "path": path,
	}}
}

// crd of the repository, for the group of this test.
func (i *installation) crd(t *testing.T, plural string) *unstructured.Unstructured {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "config", "crd", "bases", "resource.k8s.io_"+plural+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	o := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(data, &o.Object); err != nil {
		t.Fatal(err)
	}
	o.SetName(plural + "." + i.group)
	o.SetAnnotations(nil)
	spec := o.Object["spec"].(map[string]any)
	spec["group"] = i.group
	spec["conversion"] = map[string]any{"strategy": "Webhook", "webhook": map[string]any{
		"conversionReviewVersions": []any{"v1"}, "clientConfig": i.clientConfig("/convert"),
	}}
	return o
}

// dnsName by which the API server calls.
func (i *installation) dnsName() string { return "claimbridge." + i.name + ".svc" }

// bundle of the CRD of claims, as it is now.
func (i *installation) bundle(t *testing.T) []byte {
	t.Helper()
	o, err := cluster.dynamic.Resource(crds).Get(t.Context(), "resourceclaims."+i.group, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	encoded, _, _ := unstructured.NestedString(o.Object, "spec", "conversion", "webhook", "clientConfig", "caBundle")
	pem, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		t.Fatal(err)
	}
	return pem
}

// generation of the CRD of claims: how often its spec was written.
func (i *installation) generation(t *testing.T) int64 {
	t.Helper()
	o, err := cluster.dynamic.Resource(crds).Get(t.Context(), "resourceclaims."+i.group, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return o.GetGeneration()
}

// setBundle everywhere, as somebody does who keeps bundles by hand.
func (i *installation) setBundle(t *testing.T, pem []byte) {
	t.Helper()
	config := map[string]any{"caBundle": base64.StdEncoding.EncodeToString(pem)}
	patch := func(resource schema.GroupVersionResource, name string, kind types.PatchType, content map[string]any) {
		body, err := json.Marshal(content)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := cluster.dynamic.Resource(resource).Patch(t.Context(), name, kind, body, metav1.PatchOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	for _, plural := range []string{"resourceclaims.", "resourceclaimtemplates."} {
		patch(crds, plural+i.group, types.MergePatchType, map[string]any{"spec": map[string]any{"conversion": map[string]any{"webhook": map[string]any{"clientConfig": config}}}})
	}
	for _, resource := range []schema.GroupVersionResource{validating, mutating} {
		patch(resource, i.name, types.StrategicMergePatchType, map[string]any{"webhooks": []any{map[string]any{"name": "validate.claimbridge.dev", "clientConfig": config}}})
	}
}

// claim is created in the version that is stored, and read in an older one: each read is a conversion.
func (i *installation) claims(version string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: i.group, Version: version, Resource: "resourceclaims"}
}

func (i *installation) newClaim(name string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": i.group + "/v1alpha3", "kind": "ResourceClaim", "metadata": map[string]any{"name": name, "namespace": i.name},
		"spec": map[string]any{"devices": map[string]any{"requests": []any{map[string]any{
			"name": "gpu", "deviceClassName": "gpu.example.com", "allocationMode": "ExactCount", "count": int64(1),
		}}}},
	}}
}

// review that converts one claim, for callers that are no API server.
func (i *installation) review() string {
	return strings.NewReplacer("\n", "", "GROUP", i.group).Replace(`{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview",
"request":{"uid":"1","desiredAPIVersion":"GROUP/v1alpha3","objects":[{"apiVersion":"GROUP/v1alpha1","kind":"ResourceClaim",
"metadata":{"name":"a"},"spec":{"resourceClassName":"gpu.example.com"}}]}}`)
}
