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

// checkStoredUnchanged checks that an API server stores applied objects unchanged. If it added defaults to a field that
// is applied as a whole, such as resourceFieldRef of a variable, Argo CD would be out of sync permanently.
func (i *installation) checkStoredUnchanged(t *testing.T) {
	stream := i.stream(t, i.certificates == config.Self)
	i.apply(t, stream)
	count := 0
	for _, object := range sortedObjects(t, stream) {
		count += i.compareOwnedFields(t, object)
	}
	t.Logf("compared %d applied fields with the stored objects", count)
	if count < 100 {
		t.Errorf("compared %d applied fields, want at least 100", count)
	}
	crds := []string{"resourceclaims." + i.group, "resourceclaimtemplates." + i.group}
	i.awaitEstablished(t, crds...)
	schemaErrors := i.Kubectl(t, nil, append([]string{
		"get", "crd", "-o",
		`jsonpath={.items[*].status.conditions[?(@.type=="NonStructuralSchema")].message}`,
	}, crds...)...)
	if schemaErrors != "" {
		t.Errorf("the API server reports that the schemas of the CRDs are not structural: %s", schemaErrors)
	}
}

// checkSecondApply checks that a second apply changes nothing after other writers have written their fields.
func (i *installation) checkSecondApply(t *testing.T) {
	stream := i.stream(t, i.certificates == config.Self)
	i.simulateOtherWriters(t, stream, certs.New(t, "others", certs.Day).Certificate)
	before := i.liveObjects(t, stream)
	i.apply(t, stream)
	for n, after := range i.liveObjects(t, stream) {
		if object := before[n]; object.GetResourceVersion() != after.GetResourceVersion() {
			t.Errorf("the second apply changed %s %s", object.GetKind(), object.GetName())
		}
	}
	// kubectl diff exits with 1 if there is a difference, which fails the test.
	i.Kubectl(t, []byte(stream), "diff", "--server-side", "--force-conflicts", "--field-manager=gitops", "-f", "-")
}

// compareOwnedFields compares an applied object with the stored one, in all fields that the applying manager owns. It
// returns the number of fields.
func (c *cluster) compareOwnedFields(t *testing.T, object *unstructured.Unstructured) int {
	t.Helper()
	title := object.GetKind() + " " + object.GetName()
	live := c.liveObject(t, object)
	for _, m := range live.GetManagedFields() {
		if m.Manager != "gitops" {
			continue
		}
		var owned map[string]any
		must.Do(t, json.Unmarshal(m.FieldsV1.GetRawBytes(), &owned))
		return compareFields(t, title, owned, decodedJSON(t, object.Object), decodedJSON(t, live.Object))
	}
	t.Errorf("no field of %s has the manager gitops", title)
	return 0
}

// decodedJSON encodes and decodes an object, so that all numbers have the type float64.
func decodedJSON(t *testing.T, object map[string]any) (decoded map[string]any) {
	t.Helper()
	must.Do(t, json.Unmarshal(must.Get(json.Marshal(object))(t), &decoded))
	return decoded
}

// compareFields compares the values of fields, which are in the format of managedFields, and returns their number.
func compareFields(t *testing.T, path string, fields map[string]any, applied, live any) (count int) {
	t.Helper()
	if len(fields) == 0 {
		if !reflect.DeepEqual(applied, live) {
			t.Errorf("%s: got %v stored, want %v as applied", path, live, applied)
		}
		return 1
	}
	for key, inner := range fields {
		prefix, name, _ := strings.Cut(key, ":")
		switch prefix {
		case "f":
			count += compareFields(t, path+"."+name, inner.(map[string]any), member(applied, name), member(live, name))
		case "k":
			count += compareFields(t, path+name, inner.(map[string]any), element(applied, name), element(live, name))
		}
	}
	return count
}

// member returns a member of an object, or nil.
func member(value any, name string) any {
	object, _ := value.(map[string]any)
	return object[name]
}

// element returns the element of a list with the given keys, or nil. The keys are a JSON object.
func element(value any, keys string) any {
	var want map[string]any
	if err := json.Unmarshal([]byte(keys), &want); err != nil {
		panic(fmt.Sprintf("%s are not the keys of a list element: %v", keys, err))
	}
	list, _ := value.([]any)
	for _, e := range list {
		if hasMembers(e, want) {
			return e
		}
	}
	return nil
}

func hasMembers(object any, members map[string]any) bool {
	for name, value := range members {
		if !reflect.DeepEqual(member(object, name), value) {
			return false
		}
	}
	return true
}

// checkPlainApply checks that kubectl apply without options accepts the manifests without a warning. By default,
// kubectl requests strict validation of fields.
func (c *cluster) checkPlainApply(t *testing.T) {
	i := installation{c, manifestsCertManager, "plain.example.com", "plain"}
	stream := i.stream(t, false)
	output := c.Kubectl(t, []byte(stream), "apply", "-f", "-")
	if got, want := strings.Count(output, " created\n"), len(objectsByTitle(t, stream)); got != want {
		t.Errorf("got %d objects created, want %d:\n%s", got, want, output)
	}
	if strings.Contains(output, "Warning") {
		t.Errorf("got a warning of the API server, want none:\n%s", output)
	}
	c.Kubectl(t, []byte(stream), "delete", "--wait=false", "-f", "-")
}

// checkDashboardCommands runs the commands of docs/alerts.md that install the dashboard.
func (c *cluster) checkDashboardCommands(t *testing.T) {
	c.Kubectl(t, nil, "create", "namespace", "monitoring")
	for _, block := range commandBlocks(t, "alerts.md", "Dashboard") {
		c.runCommands(t, "", block)
	}
	names := c.Kubectl(t, nil, "get", "configmaps", "-n", "monitoring", "-l", "grafana_dashboard=1", "-o", "name")
	if got := strings.Count(names, "configmap/"); got != 1 {
		t.Errorf("got %d ConfigMaps with dashboards, want 1:\n%s", got, names)
	}
}
