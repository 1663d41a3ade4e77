package main

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/test/e2e/framework/conformance"
)

// merge is a patch of a type that looks like an object. It names the object that it is meant for by its uid.
func (r *resource) merge(kind types.PatchType, patch string) architecture.Patch {
	return architecture.Patch{Type: kind, GetData: func(existing *unstructured.Unstructured) []byte {
		o := &unstructured.Unstructured{Object: decoded(patch)}
		o.SetGroupVersionKind(existing.GroupVersionKind())
		o.SetNamespace(existing.GetNamespace())
		o.SetName(existing.GetName())
		o.SetUID(existing.GetUID())
		return encoded(o.Object)
	}}
}

// json is a list of operations.
func (r *resource) json(operations string) architecture.Patch {
	return architecture.Patch{
		Type:    types.JSONPatchType,
		GetData: func(*unstructured.Unstructured) []byte { return []byte(operations) },
	}
}

func encoded(value any) []byte {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err) // it was JSON before
	}
	return data
}
