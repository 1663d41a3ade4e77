//go:build e2e

package cluster

import (
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/claimbridge/claimbridge/test/testkit/await"
)

var definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// storeIn a version what is written from now on.
func (s space) storeIn(t *testing.T, version string) {
	t.Helper()
	for _, plural := range plurals {
		crd, err := s.client.Resource(definitions).Get(t.Context(), plural+"."+s.group, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var patch []string
		for i, v := range nested(crd, "spec", "versions").([]any) {
			patch = append(patch, fmt.Sprintf(`{"op":"replace","path":"/spec/versions/%d/storage","value":%t}`, i, v.(map[string]any)["name"] == version))
		}
		_, err = s.client.Resource(definitions).Patch(t.Context(), crd.GetName(), types.JSONPatchType, []byte("["+strings.Join(patch, ",")+"]"), metav1.PatchOptions{})
		if err != nil {
			t.Fatal(err)
		}
	}
	await.NoError(t, "store in "+version, func() error {
		probe := s.create(t, s.typical(t, stored, claimKind, "probe"))
		is := s.inEtcd(t)[probe.GetName()]
		if err := s.claims(stored).Delete(t.Context(), probe.GetName(), metav1.DeleteOptions{}); err != nil {
			return err
		}
		if is != version {
			return fmt.Errorf("it was stored in %s", is)
		}
		return nil
	})
}
