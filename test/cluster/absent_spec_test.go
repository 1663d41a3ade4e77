//go:build e2e

package cluster

import (
	"fmt"
	"slices"
	"testing"
)

// v1 and v1alpha3 accept an object without a spec. A client of an older version must be able to remove its finalizer.
func TestOlderClientsUpdateObjectsWithoutSpec(t *testing.T) {
	t.Parallel()
	s := withoutBuiltIn.space(t)
	specPath := map[string][]string{claimKind: {"spec"}, templateKind: {"spec", "spec"}}
	for kind, path := range specPath {
		for _, creator := range []string{"v1alpha3", stored} {
			for _, version := range olderVersions {
				t.Run(fmt.Sprintf("%s created in %s, updated in %s", kind, creator, version), func(t *testing.T) {
					name := creator + "-" + version
					o := s.inNamespace(&object{Object: map[string]any{}}, creator, kind, name)
					o.SetFinalizers([]string{"driver.example.com/finalizer"})
					s.create(t, o)
					if err := s.mergePatch(t, version, kind, name, `{"metadata":{"labels":{"a":"b"}}}`); err != nil {
						t.Errorf("adding a label: %v", err)
					}
					requests := nested(s.get(t, stored, kind, name), slices.Concat(path, []string{"devices", "requests"})...)
					if requests != nil {
						t.Errorf("requests in %s after the update: got %v, want none", stored, requests)
					}
					if err := s.mergePatch(t, version, kind, name, `{"metadata":{"finalizers":null}}`); err != nil {
						t.Errorf("removing the finalizer: %v", err)
					}
				})
			}
		}
	}
}
