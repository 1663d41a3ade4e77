//go:build e2e

package cluster

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Who owns which field is the same as for a custom resource of one version without conversion, after every step. Where managers of
// three versions work on one claim, each owns what it would own there, where everybody uses its version.
func TestOwnershipIsThatOfOneVersion(t *testing.T) {
	mixed := map[string]string{
		"creator": "v1alpha2", "platform": "v1alpha1", "driver": "v1alpha1", "scheduler": "v1alpha3", "labeller": "v1alpha2",
	}
	across := builtInOff.space(t).owners(t, mixed)
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			twin, claims := twinOf(t, version).space(t), builtInOff.space(t)
			all := map[string]string{}
			for _, m := range managers {
				all[m] = version
			}
			mine, theirs := claims.owners(t, all), twin.owners(t, all)
			for i, step := range steps {
				if i >= len(mine) || i >= len(theirs) || i >= len(across) {
					t.Fatalf("%d, %d and %d of %d steps", len(mine), len(theirs), len(across), len(steps))
				}
				equal(t, fmt.Sprintf("after step %d, %s by %s", i+1, step.what, step.manager), mine[i], theirs[i])
				for owner, fields := range theirs[i] {
					if mixed[owner.manager] == version {
						equal(t, fmt.Sprintf("of a claim of three versions, %s after step %d, %s by %s", owner, i+1, step.what, step.manager), across[i][owner], fields)
					}
				}
			}
		})
	}
}

var managers = []string{"creator", "platform", "driver", "scheduler", "labeller"}

// steps in the life of a claim, each by one manager.
var steps = []struct {
	manager, what string
	do            func(s space, t *testing.T, version, manager string) error
}{
	{"creator", "create", func(s space, t *testing.T, version, manager string) error {
		o := s.typical(t, version, claimKind, "owned")
		o.SetLabels(map[string]string{"created": "yes", "taken": "no"})
		_, err := s.claims(version).Create(t.Context(), o, metav1.CreateOptions{FieldManager: manager})
		return err
	}},
	{"platform", "apply of spec and labels", func(s space, t *testing.T, version, manager string) error {
		return s.applyAs(t, version, manager, map[string]string{"taken": "yes", "cost": "high"}, s.typical(t, version, claimKind, "").Object["spec"])
	}},
	{"driver", "update of the status", func(s space, t *testing.T, version, manager string) error {
		o := s.get(t, version, claimKind, "owned")
		o.Object["status"] = s.typical(t, version, claimKind, "").Object["status"]
		_, err := s.claims(version).UpdateStatus(t.Context(), o, metav1.UpdateOptions{FieldManager: manager})
		return err
	}},
	{"scheduler", "apply of a reservation", func(s space, t *testing.T, version, manager string) error {
		consumer := map[string]any{"resource": "pods", "name": "second", "uid": "3f0c0f9e-5b0e-4a3c-8a4e-0d9f0a7b6c5d"}
		o := s.move(&object{Object: map[string]any{"status": map[string]any{"reservedFor": []any{consumer}}}}, version, claimKind, "owned")
		_, err := s.claims(version).ApplyStatus(t.Context(), "owned", o, metav1.ApplyOptions{FieldManager: manager})
		return err
	}},
	{"labeller", "update of labels", func(s space, t *testing.T, version, manager string) error {
		o := s.get(t, version, claimKind, "owned")
		labels := o.GetLabels()
		labels["cost"], labels["new"] = "low", "yes"
		o.SetLabels(labels)
		_, err := s.claims(version).Update(t.Context(), o, metav1.UpdateOptions{FieldManager: manager})
		return err
	}},
	{"platform", "apply with fewer labels", func(s space, t *testing.T, version, manager string) error {
		return s.applyAs(t, version, manager, map[string]string{"cost": "middle"}, s.typical(t, version, claimKind, "").Object["spec"])
	}},
	{"scheduler", "patch of the reservations", func(s space, t *testing.T, version, manager string) error {
		_, err := s.claims(version).Patch(t.Context(), "owned", types.MergePatchType, []byte(`{"status":{"reservedFor":null}}`),
			metav1.PatchOptions{FieldManager: manager}, "status")
		return err
	}},
	{"driver", "update that deallocates", func(s space, t *testing.T, version, manager string) error {
		o := s.get(t, version, claimKind, "owned")
		delete(o.Object, "status")
		_, err := s.claims(version).UpdateStatus(t.Context(), o, metav1.UpdateOptions{FieldManager: manager})
		return err
	}},
}

func (s space) applyAs(t *testing.T, version, manager string, labels map[string]string, spec any) error {
	t.Helper()
	o := s.move(&object{Object: map[string]any{"spec": spec}}, version, claimKind, "owned")
	o.SetLabels(labels)
	_, err := s.claims(version).Apply(t.Context(), "owned", o, metav1.ApplyOptions{FieldManager: manager, Force: true})
	return err
}

// owner of fields: a manager, and how it came by them.
type owner struct {
	manager     string
	operation   metav1.ManagedFieldsOperationType
	subresource string
}

func (o owner) String() string {
	return fmt.Sprintf("%s (%s %s)", o.manager, o.operation, o.subresource)
}

// owners after every step, each manager using its version.
func (s space) owners(t *testing.T, versionOf map[string]string) (after []map[owner]any) {
	t.Helper()
	for i, step := range steps {
		version := versionOf[step.manager]
		if err := step.do(s, t, version, step.manager); err != nil {
			t.Fatalf("step %d, %s by %s: %v", i+1, step.what, step.manager, err)
		}
		owners := map[owner]any{}
		for _, entry := range s.get(t, version, claimKind, "owned").GetManagedFields() {
			if want := s.group + "/" + versionOf[entry.Manager]; entry.APIVersion != want || !slices.Contains(managers, entry.Manager) {
				t.Errorf("entry of %s in %s, want %s", entry.Manager, entry.APIVersion, want)
			}
			var fields any
			must.Do(t, json.Unmarshal(entry.FieldsV1.GetRawBytes(), &fields))
			owners[owner{entry.Manager, entry.Operation, entry.Subresource}] = fields
		}
		after = append(after, owners)
	}
	return after
}
