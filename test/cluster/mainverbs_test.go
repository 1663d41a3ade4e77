//go:build e2e

package cluster

import (
	"encoding/json"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// mainVerbs are the ways to write a changed copy of a claim to its main resource.
var mainVerbs = map[string]func(t *testing.T, s space, version string, was, is *object) error{
	"update": func(t *testing.T, s space, version string, _, is *object) error {
		_, err := s.claims(version).Update(t.Context(), is, metav1.UpdateOptions{})
		return err
	},
	"JSON patch": func(t *testing.T, s space, version string, _, is *object) error {
		type operation struct {
			Op    string `json:"op"`
			Path  string `json:"path"`
			Value any    `json:"value"`
		}
		patch := encode(t, []operation{
			{"add", "/metadata/annotations", is.GetAnnotations()},
			{"add", "/metadata/labels", is.GetLabels()},
			{"add", "/spec", is.Object["spec"]},
			{"add", "/status", is.Object["status"]},
		})
		_, err := s.claims(version).Patch(t.Context(), is.GetName(), types.JSONPatchType, patch, metav1.PatchOptions{})
		return err
	},
	"merge patch": func(t *testing.T, s space, version string, was, is *object) error {
		annotations := map[string]any{}
		for k := range was.GetAnnotations() {
			annotations[k] = nil
		}
		for k, v := range is.GetAnnotations() {
			annotations[k] = v
		}
		patch := encode(t, map[string]any{
			"metadata": map[string]any{"annotations": annotations, "labels": is.GetLabels()},
			"spec":     is.Object["spec"], "status": is.Object["status"],
		})
		_, err := s.claims(version).Patch(t.Context(), is.GetName(), types.MergePatchType, patch, metav1.PatchOptions{})
		return err
	},
	"server-side apply": func(t *testing.T, s space, version string, _, is *object) error {
		is = is.DeepCopy()
		is.SetManagedFields(nil)
		_, err := s.claims(version).Apply(t.Context(), is.GetName(), is,
			metav1.ApplyOptions{FieldManager: "attacker", Force: true})
		return err
	},
}

func encode(t *testing.T, value any) []byte {
	t.Helper()
	return must.Get(json.Marshal(value))(t)
}
