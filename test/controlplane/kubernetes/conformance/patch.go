package main

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/test/e2e/framework/conformance"
)

// merge returns a patch in the form of an object. Its metadata has the name and UID of the object that is patched.
func (r *resource) merge(kind types.PatchType, patch string) architecture.Patch {
	return architecture.Patch{Type: kind, GetData: func(existing *unstructured.Unstructured) []byte {
		o := &unstructured.Unstructured{Object: mustDecode(patch)}
		o.SetGroupVersionKind(existing.GroupVersionKind())
		o.SetNamespace(existing.GetNamespace())
		o.SetName(existing.GetName())
		o.SetUID(existing.GetUID())
		return mustEncode(o.Object)
	}}
}

// json returns a JSON patch with the given operations.
func (r *resource) json(operations string) architecture.Patch {
	return architecture.Patch{
		Type:    types.JSONPatchType,
		GetData: func(*unstructured.Unstructured) []byte { return []byte(operations) },
	}
}

func mustEncode(value any) []byte {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err) // the value was decoded from JSON
	}
	return data
}
