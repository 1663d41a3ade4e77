//go:build e2e

package cluster

import (
	"encoding/json"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// mainVerbs write a changed copy of a claim to its main resource, each with another verb.
var mainVerbs = map[string]func(t *testing.T, s space, version string, before, changed *object) error{
	"update": func(t *testing.T, s space, version string, _, changed *object) error {
		_, err := s.claims(version).Update(t.Context(), changed, metav1.UpdateOptions{})
		return err
	},
	"JSON patch": func(t *testing.T, s space, version string, _, changed *object) error {
		type jsonPatchOperation struct {
			Op    string `json:"op"`
			Path  string `json:"path"`
			Value any    `json:"value"`
		}
		patch := encode(t, []jsonPatchOperation{
			{"add", "/metadata/annotations", changed.GetAnnotations()},
			{"add", "/metadata/labels", changed.GetLabels()},
			{"add", "/spec", changed.Object["spec"]},
			{"add", "/status", changed.Object["status"]},
		})
		_, err := s.claims(version).Patch(t.Context(), changed.GetName(), types.JSONPatchType, patch, metav1.PatchOptions{})
		return err
	},
	"merge patch": func(t *testing.T, s space, version string, before, changed *object) error {
		annotations := map[string]any{}
		for k := range before.GetAnnotations() {
			annotations[k] = nil
		}
		for k, v := range changed.GetAnnotations() {
			annotations[k] = v
		}
		patch := encode(t, map[string]any{
			"metadata": map[string]any{"annotations": annotations, "labels": changed.GetLabels()},
			"spec":     changed.Object["spec"], "status": changed.Object["status"],
		})
		_, err := s.claims(version).Patch(t.Context(), changed.GetName(), types.MergePatchType, patch, metav1.PatchOptions{})
		return err
	},
	"server-side apply": func(t *testing.T, s space, version string, _, changed *object) error {
		changed = changed.DeepCopy()
		changed.SetManagedFields(nil)
		_, err := s.claims(version).Apply(t.Context(), changed.GetName(), changed,
			metav1.ApplyOptions{FieldManager: "attacker", Force: true})
		return err
	},
}

func encode(t *testing.T, value any) []byte {
	t.Helper()
	return must.Get(json.Marshal(value))(t)
}
