//go:build e2e

package chart

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// What an API server is given to apply it holds as it was given. Where a field is applied as a whole, like resourceFieldRef of a variable, it would add defaults to what
// is ours, and Argo CD would undo that for ever, and be out of sync as long.
func TestWhatIsAppliedStaysAsItIs(t *testing.T) {
	c := start(t)
	h := newHelm(t, releases[0])
	c.kubectl(t, "create", "namespace", namespace)
	for chart, args := range map[string][]string{
		webhookChart:    {"--set=group=" + group, "--set=certificates=self", "--set=admissionPolicy=true", "--set=adminAccessPolicy=true"},
		aggregatedChart: {"--set=certificates=self"},
	} {
		rendered := h.run(t, append([]string{"template", "mine", chart, "--namespace=" + namespace, "--set=createNamespace=true"}, args...)...)
		if output, err := c.try(t.Context(), rendered, "apply", "--server-side", "--field-manager=gitops", "-f", "-"); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		seen := 0
		for _, object := range objects(t, rendered) {
			applied := &unstructured.Unstructured{Object: object}
			seen += c.stays(t, applied)
		}
		t.Logf("%s: %d fields are held as they were applied", chart, seen)
		if seen < 100 {
			t.Errorf("%s has more than %d fields", chart, seen)
		}
	}
}

// stays compares what an object was applied as with what the API server holds, wherever a field or a whole is owned by who applied it, and counts.
func (c *cluster) stays(t *testing.T, applied *unstructured.Unstructured) int {
	t.Helper()
	kind := applied.GetKind()
	if group, version, grouped := strings.Cut(applied.GetAPIVersion(), "/"); grouped {
		kind += "." + version + "." + group
	}
	args := []string{"get", kind, applied.GetName(), "-o", "json", "--show-managed-fields"}
	if applied.GetNamespace() != "" {
		args = append(args, "--namespace="+applied.GetNamespace())
	}
	live := &unstructured.Unstructured{}
	if err := json.Unmarshal([]byte(c.kubectl(t, args...)), &live.Object); err != nil {
		t.Fatal(err)
	}
	for _, m := range live.GetManagedFields() {
		if m.Manager != "gitops" {
			continue
		}
		var owned, given map[string]any
		text, err := json.Marshal(applied.Object) // numbers as JSON has them
		if err == nil {
			err = json.Unmarshal(text, &given)
		}
		if err == nil {
			err = json.Unmarshal(m.FieldsV1.GetRawBytes(), &owned)
		}
		if err != nil {
			t.Fatal(err)
		}
		return same(t, kind+" "+applied.GetName(), owned, given, live.Object)
	}
	t.Errorf("%s %s is owned by nobody", kind, applied.GetName())
	return 0
}

// same where fields, as managedFields has them, end.
func same(t *testing.T, path string, fields map[string]any, given, live any) (seen int) {
	t.Helper()
	if len(fields) == 0 {
		if !reflect.DeepEqual(given, live) {
			t.Errorf("%s was applied as %v, and is held as %v", path, given, live)
		}
		return 1
	}
	for name, below := range fields {
		how, field, _ := strings.Cut(name, ":")
		switch how {
		case "f":
			seen += same(t, path+"."+field, below.(map[string]any), member(given, field), member(live, field))
		case "k":
			seen += same(t, path+field, below.(map[string]any), element(given, field), element(live, field))
		}
	}
	return seen
}

func member(of any, name string) any {
	object, _ := of.(map[string]any)
	return object[name]
}

// element of a list that has what the keys, an object in JSON, say.
func element(of any, keys string) any {
	var want map[string]any
	if err := json.Unmarshal([]byte(keys), &want); err != nil {
		panic(fmt.Sprintf("%s is no key of a list: %v", keys, err))
	}
	list, _ := of.([]any)
next:
	for _, e := range list {
		for name, value := range want {
			if !reflect.DeepEqual(member(e, name), value) {
				continue next
			}
		}
		return e
	}
	return nil
}
