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

// objects of a stream by kind, namespace and name.
func objects(t *testing.T, stream string) map[string]map[string]any {
	t.Helper()
	found := map[string]map[string]any{}
	for document := range strings.SplitSeq("\n"+stream, "\n---\n") {
		object := &unstructured.Unstructured{}
		if err := yaml.UnmarshalStrict([]byte(document), &object.Object); err != nil {
			t.Fatalf("%v\n%s", err, document)
		}
		if len(object.Object) == 0 {
			continue
		}
		title := strings.Join([]string{object.GetKind(), object.GetNamespace(), object.GetName()}, " ")
		if found[title] != nil {
			t.Errorf("duplicate %s", title)
		}
		found[title] = object.Object
	}
	return found
}

// listed objects of a stream.
func listed(t *testing.T, stream string) (all []*unstructured.Unstructured) {
	t.Helper()
	named := objects(t, stream)
	for _, title := range slices.Sorted(maps.Keys(named)) {
		all = append(all, &unstructured.Unstructured{Object: named[title]})
	}
	return all
}

// stored gives the objects of a stream as the API server has them.
func (c *cluster) stored(t *testing.T, stream string) (all []*unstructured.Unstructured) {
	t.Helper()
	for _, object := range listed(t, stream) {
		all = append(all, c.held(t, object))
	}
	return all
}

// held is an object as the API server has it.
func (c *cluster) held(t *testing.T, object *unstructured.Unstructured) *unstructured.Unstructured {
	t.Helper()
	return must.Get(c.resource(t, object).Get(t.Context(), object.GetName(), metav1.GetOptions{}))(t)
}

// resource that an object is of.
func (c *cluster) resource(t *testing.T, object *unstructured.Unstructured) dynamic.ResourceInterface {
	t.Helper()
	kind := object.GroupVersionKind()
	mapping := must.Get(c.mapper.RESTMapping(kind.GroupKind(), kind.Version))(t)
	return c.dynamic.Resource(mapping.Resource).Namespace(object.GetNamespace())
}

// writeAsOthers puts into our objects what cert-manager or the server itself would: a CA.
func (c *cluster) writeAsOthers(t *testing.T, stream string, ca []byte) {
	t.Helper()
	written := 0
	for _, object := range c.stored(t, stream) {
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
		_, err := c.resource(t, object).Patch(t.Context(), object.GetName(), types.JSONPatchType, patch,
			metav1.PatchOptions{})
		if err != nil {
			t.Fatalf("%s %s: %v", object.GetKind(), object.GetName(), err)
		}
		written++
	}
	if written < 4 {
		t.Fatalf("others should have written to two definitions and two webhook configurations, not to %d objects",
			written)
	}
}
