//go:build e2e

package manifests

import (
	"bytes"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/yaml"
)

// objects of a stream.
func objects(t *testing.T, stream []byte) (all []*unstructured.Unstructured) {
	t.Helper()
	for document := range bytes.SplitSeq(stream, []byte("\n---\n")) {
		object := &unstructured.Unstructured{}
		if err := yaml.Unmarshal(document, &object.Object); err != nil {
			t.Fatal(err)
		}
		all = append(all, object)
	}
	return all
}

// stored gives the objects of a stream as the API server has them.
func (c *cluster) stored(t *testing.T, stream []byte) (all []*unstructured.Unstructured) {
	t.Helper()
	for _, object := range objects(t, stream) {
		got, err := c.resource(t, object).Get(t.Context(), object.GetName(), metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, got)
	}
	return all
}

// resource that an object is of.
func (c *cluster) resource(t *testing.T, object *unstructured.Unstructured) dynamic.ResourceInterface {
	t.Helper()
	kind := object.GroupVersionKind()
	mapping, err := c.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		t.Fatal(err)
	}
	return c.dynamic.Resource(mapping.Resource).Namespace(object.GetNamespace())
}
