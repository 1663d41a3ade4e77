package convert

import (
	"strings"
	"testing"
)

func TestAnErrorNamesTheHandleAsItsVersionDoes(t *testing.T) {
	head := "apiVersion: resource.k8s.io/VERSION\nkind: ResourceClaim\nmetadata: {name: a}\nspec: {resourceClassName: c}\nstatus:\n  driverName: d\n  allocation:\n    "
	for version, handle := range map[string]string{"v1alpha1": "resourceHandle: x", "v1alpha2": "resourceHandles: [{driverName: d, data: x}]"} {
		inFolder(t, map[string]string{"a.yaml": strings.Replace(head, "VERSION", version, 1) + handle + "\n"})
		field, _, _ := strings.Cut(handle, " ")
		if _, said, _ := run(t, InFiles{Write: true}, false, "a.yaml"); !strings.Contains(said, "status.allocation."+field+" v1 has no field for it") {
			t.Errorf("%s: %s", version, said)
		}
	}
}
