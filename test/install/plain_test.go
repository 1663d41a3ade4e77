//go:build e2e

package install

import (
	"strings"
	"testing"
)

// What a beginner would type. kubectl asks for strict validation of fields by itself.
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
