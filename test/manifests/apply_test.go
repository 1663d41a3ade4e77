//go:build e2e

package manifests

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/config"
)

// One API server for all, since a start takes seconds. One after the other, since most objects have the same names each time.
func TestManifests(t *testing.T) {
	t.Parallel()
	c := start(t, false)
	t.Run("a plain apply is enough", c.plainApply)
	t.Run("claims are converted, completed and judged by way of the Service", c.service)
	for _, o := range []config.Options{
		{Certificates: config.CertManager, Group: config.DefaultGroup},
		{Certificates: config.Self, Group: config.DefaultGroup},
		{Certificates: config.Files, Group: config.DefaultGroup},
		{Certificates: config.CertManager, Group: "claims.example.com", Namespace: "claims"},
		{Certificates: config.Self, Group: "claims.example.com", Namespace: "1e3"},
	} {
		t.Run(fmt.Sprintf("a second apply changes nothing, %s %s", o.Certificates, o.Group), func(t *testing.T) { c.appliedTwice(t, o) })
	}
	t.Run("a group that is free is taken without a note", c.groupIsFree)
	t.Run("dashboards are put where Grafana looks, as the page says", c.dashboards)
	t.Run("the policy holds the server's account to the caBundle", c.policy)
	t.Run("the namespace lets our pods in and no others", c.podSecurity)
}

// everything is what all manifests are together with the monitor, where there is a Prometheus operator.
func everything(t *testing.T, o config.Options) []byte {
	t.Helper()
	monitor := o
	monitor.Only = config.MonitorPart
	return slices.Concat(manifests(t, o), []byte("---\n"), manifests(t, monitor))
}

// What a beginner would type. kubectl asks for strict validation of fields by itself.
func (c *cluster) plainApply(t *testing.T) {
	stream := everything(t, config.Options{Group: "plain.example.com", Namespace: "plain"})
	output := c.run(t, stream, "apply", "-f", "-")
	if got, want := strings.Count(output, " created\n"), len(objects(t, stream)); got != want {
		t.Errorf("want %d objects created, got %d:\n%s", want, got, output)
	}
	if strings.Contains(output, "Warning") {
		t.Errorf("the API server warns:\n%s", output)
	}
	c.run(t, stream, "delete", "--wait=false", "-f", "-")
}

func (c *cluster) appliedTwice(t *testing.T, o config.Options) {
	stream := everything(t, o)
	output := c.run(t, stream, "apply", "--server-side", "-f", "-")
	if got, want := strings.Count(output, " serverside-applied\n"), len(objects(t, stream)); got != want {
		t.Errorf("want %d objects applied, got %d:\n%s", want, got, output)
	}
	crds := []string{"crd/resourceclaims." + o.Group, "crd/resourceclaimtemplates." + o.Group}
	c.run(t, nil, append([]string{"wait", "--for=condition=Established", "--timeout=60s"}, crds...)...)
	problems := c.run(t, nil, append([]string{"get", "-o", `jsonpath={.items[*].status.conditions[?(@.type=="NonStructuralSchema")].message}`}, crds...)...)
	if problems != "" {
		t.Errorf("the API server finds faults in the definitions: %s", problems)
	}
	c.writeAsOthers(t, stream)
	before := c.stored(t, stream)
	c.run(t, stream, "apply", "--server-side", "-f", "-")
	after := c.stored(t, stream)
	for i, object := range before {
		if object.GetResourceVersion() != after[i].GetResourceVersion() {
			t.Errorf("%s %s was changed by the second apply", object.GetKind(), object.GetName())
		}
	}
	c.run(t, stream, "diff", "--server-side", "-f", "-") // ends with 1 when there is a difference
}

// What docs/alerts.md says about dashboards, word for word.
func (c *cluster) dashboards(t *testing.T) {
	c.run(t, nil, "create", "namespace", "monitoring")
	for _, block := range chapter(t, "alerts.md", "Dashboard") {
		c.shell(t, "", block)
	}
	names := c.run(t, nil, "get", "configmaps", "-n", "monitoring", "-l", "grafana_dashboard=1", "-o", "name")
	if got := strings.Count(names, "configmap/"); got != 2 {
		t.Errorf("want a dashboard of each server, got %d:\n%s", got, names)
	}
}
