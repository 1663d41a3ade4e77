//go:build e2e

package install

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// objectsByTitle returns the objects of a YAML stream. The keys consist of kind, namespace and name.
func objectsByTitle(t *testing.T, stream string) map[string]map[string]any {
	t.Helper()
	byTitle := map[string]map[string]any{}
	for document := range strings.SplitSeq("\n"+stream, "\n---\n") {
		object := &unstructured.Unstructured{}
		if err := yaml.UnmarshalStrict([]byte(document), &object.Object); err != nil {
			t.Fatalf("%v\n%s", err, document)
		}
		if len(object.Object) == 0 {
			continue
		}
		title := strings.Join([]string{object.GetKind(), object.GetNamespace(), object.GetName()}, " ")
		if byTitle[title] != nil {
			t.Errorf("duplicate %s", title)
		}
		byTitle[title] = object.Object
	}
	return byTitle
}

// sortedObjects returns the objects of a YAML stream, sorted by kind, namespace and name.
func sortedObjects(t *testing.T, stream string) (objects []*unstructured.Unstructured) {
	t.Helper()
	byTitle := objectsByTitle(t, stream)
	for _, title := range slices.Sorted(maps.Keys(byTitle)) {
		objects = append(objects, &unstructured.Unstructured{Object: byTitle[title]})
	}
	return objects
}

// liveObjects returns the objects of a YAML stream as the API server stores them.
func (c *cluster) liveObjects(t *testing.T, stream string) (objects []*unstructured.Unstructured) {
	t.Helper()
	for _, object := range sortedObjects(t, stream) {
		objects = append(objects, c.liveObject(t, object))
	}
	return objects
}

// liveObject returns an object as the API server stores it.
func (c *cluster) liveObject(t *testing.T, object *unstructured.Unstructured) *unstructured.Unstructured {
	t.Helper()
	return must.Get(c.clientFor(t, object).Get(t.Context(), object.GetName(), metav1.GetOptions{}))(t)
}

// clientFor returns a client for the resource and namespace of an object.
func (c *cluster) clientFor(t *testing.T, object *unstructured.Unstructured) dynamic.ResourceInterface {
	t.Helper()
	kind := object.GroupVersionKind()
	mapping := must.Get(c.mapper.RESTMapping(kind.GroupKind(), kind.Version))(t)
	return c.dynamic.Resource(mapping.Resource).Namespace(object.GetNamespace())
}

// simulateOtherWriters writes a CA to the installed objects, as cert-manager or the server does.
func (c *cluster) simulateOtherWriters(t *testing.T, stream string, ca []byte) {
	t.Helper()
	count := 0
	for _, object := range c.liveObjects(t, stream) {
		var path string
		value := any(ca)
		switch object.GetKind() {
		case "CustomResourceDefinition":
			path = "/spec/conversion/webhook/clientConfig/caBundle"
		case "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration":
			path = "/webhooks/0/clientConfig/caBundle"
		case "Secret":
			path, value = "/data", map[string][]byte{"tls.crt": ca, "tls.key": ca, "ca.crt": ca}
		default:
			continue
		}
		patch := must.Get(json.Marshal([]map[string]any{{"op": "add", "path": path, "value": value}}))(t)
		_, err := c.clientFor(t, object).Patch(t.Context(), object.GetName(), types.JSONPatchType, patch,
			metav1.PatchOptions{})
		if err != nil {
			t.Fatalf("%s %s: %v", object.GetKind(), object.GetName(), err)
		}
		count++
	}
	if count < 4 {
		t.Fatalf("wrote a CA to %d objects, want at least 4: two CRDs and two webhook configurations", count)
	}
}
