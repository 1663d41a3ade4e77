//go:build e2e

package install

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/certs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// isStoredUnchanged checks that an API server stores applied objects unchanged. If it added defaults to a field that is
// applied as a whole, such as resourceFieldRef of a variable, Argo CD would be out of sync permanently.
func (i *installation) isStoredUnchanged(t *testing.T) {
	stream := i.stream(t, i.certificates == config.Self)
	i.apply(t, stream)
	seen := 0
	for _, object := range listed(t, stream) {
		seen += i.stays(t, object)
	}
	t.Logf("%d fields are held as they were applied", seen)
	if seen < 100 {
		t.Errorf("it has more than %d fields", seen)
	}
	crds := []string{"resourceclaims." + i.group, "resourceclaimtemplates." + i.group}
	i.established(t, crds...)
	problems := i.Kubectl(t, nil, append([]string{
		"get",
		"crd",
		"-o",
		`jsonpath={.items[*].status.conditions[?(@.type=="NonStructuralSchema")].message}`,
	}, crds...)...)
	if problems != "" {
		t.Errorf("the API server finds faults in the definitions: %s", problems)
	}
}

// secondApplyChangesNothing checks a second apply, after other writers have written their fields.
func (i *installation) secondApplyChangesNothing(t *testing.T) {
	stream := i.stream(t, i.certificates == config.Self)
	i.writeAsOthers(t, stream, certs.New(t, "others", certs.Day).Certificate)
	before := i.stored(t, stream)
	i.apply(t, stream)
	for n, after := range i.stored(t, stream) {
		if object := before[n]; object.GetResourceVersion() != after.GetResourceVersion() {
			t.Errorf("%s %s was changed by the second apply", object.GetKind(), object.GetName())
		}
	}
	// ends with 1 when there is a difference
	i.Kubectl(t, []byte(stream), "diff", "--server-side", "--force-conflicts", "--field-manager=gitops", "-f", "-")
}

// stays compares an applied object with the stored one, in all fields that the applying manager owns, and counts them.
func (c *cluster) stays(t *testing.T, applied *unstructured.Unstructured) int {
	t.Helper()
	what, live := applied.GetKind()+" "+applied.GetName(), c.held(t, applied)
	for _, m := range live.GetManagedFields() {
		if m.Manager != "gitops" {
			continue
		}
		var owned, given, held map[string]any
		for into, text := range map[*map[string]any][]byte{ // numbers as JSON has them
			&owned: m.FieldsV1.GetRawBytes(),
			&given: must.Get(json.Marshal(applied.Object))(t),
			&held:  must.Get(json.Marshal(live.Object))(t),
		} {
			must.Do(t, json.Unmarshal(text, into))
		}
		return same(t, what, owned, given, held)
	}
	t.Errorf("%s has no owner", what)
	return 0
}

// same compares values at the leaves of fields, which are in the format of managedFields.
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

// element returns the element of a list with the keys, which are a JSON object.
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

// The test runs kubectl apply. kubectl requests strict validation of fields by default.
func (c *cluster) plainApply(t *testing.T) {
	i := installation{c, manifestsCertManager, "plain.example.com", "plain"}
	stream := i.stream(t, false)
	output := c.Kubectl(t, []byte(stream), "apply", "-f", "-")
	if got, want := strings.Count(output, " created\n"), len(objects(t, stream)); got != want {
		t.Errorf("want %d objects created, got %d:\n%s", want, got, output)
	}
	if strings.Contains(output, "Warning") {
		t.Errorf("the API server warns:\n%s", output)
	}
	c.Kubectl(t, []byte(stream), "delete", "--wait=false", "-f", "-")
}

// What docs/alerts.md says about dashboards, word for word.
func (c *cluster) dashboards(t *testing.T) {
	c.Kubectl(t, nil, "create", "namespace", "monitoring")
	for _, block := range chapter(t, "alerts.md", "Dashboard") {
		c.page(t, "", block)
	}
	names := c.Kubectl(t, nil, "get", "configmaps", "-n", "monitoring", "-l", "grafana_dashboard=1", "-o", "name")
	if got := strings.Count(names, "configmap/"); got != 1 {
		t.Errorf("want the dashboard of the server, got %d:\n%s", got, names)
	}
}
