//go:build e2e

package install

import (
	"fmt"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/programs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// way is a way of installing the webhook server.
type way struct {
	name         string
	certificates config.Certificates
	// helm is the release that installs the chart; empty for claimbridge manifests and kubectl.
	helm string
}

var (
	manifestsCertManager = way{"manifests, certificates of cert-manager", config.CertManager, ""}
	manifestsSelf        = way{"manifests, certificates of the server's own", config.Self, ""}
	manifestsFiles       = way{"manifests, certificates in files", config.Files, ""}
	chartHelm3           = way{"chart, Helm 3", config.Self, programs.Helm3}
	chartHelm4           = way{"chart, Helm 4", config.Self, programs.Helm4}
)

// ways of installing, which TestInstalled tests for all properties.
var ways = []way{manifestsCertManager, manifestsSelf, manifestsFiles, chartHelm3, chartHelm4}

// installation in one of the ways.
type installation struct {
	*cluster
	way
	group, namespace string
}

// stream returns all objects that it installs, including the monitor for the Prometheus operator.
func (i *installation) stream(t *testing.T, policy bool) string {
	t.Helper()
	o := config.Options{Group: i.group, Namespace: i.namespace, Certificates: i.certificates, AdmissionPolicy: policy}
	if i.helm == "" {
		text := string(must.Get(config.Manifests(o))(t))
		o.Only = config.MonitorPart
		return text + "---\n" + string(must.Get(config.Manifests(o))(t))
	}
	return newHelm(t, i.helm).run(t, "template", "mine", chartFolder, "--namespace="+i.namespace,
		"--set=createNamespace=true", "--set=group="+i.group, "--set=image.tag="+imageTag,
		"--set=certificates="+string(i.certificates), fmt.Sprintf("--set=admissionPolicy=%t",
			policy), "--set=monitor.enabled=true")
}

// apply applies a stream like tools that keep it in Git.
func (i *installation) apply(t *testing.T, stream string) {
	t.Helper()
	output := i.Kubectl(t, []byte(stream), "apply", "--server-side", "--force-conflicts", "--field-manager=gitops",
		"-f", "-")
	if got, want := strings.Count(output, " serverside-applied\n"), len(objects(t, stream)); got != want {
		t.Errorf("want %d objects applied, got %d:\n%s", want, got, output)
	}
}

// TestInstalled checks the properties of the objects of each way in one cluster, one way after the other, because most
// objects have the same names.
func TestInstalled(t *testing.T) {
	t.Parallel()
	c := start(t, plane.WithoutClaims)
	t.Run("a plain apply is enough", c.plainApply)
	t.Run("a group that is free is taken without a note", c.groupIsFree)
	for _, of := range []installation{
		{c, manifestsCertManager, config.DefaultGroup, config.DefaultNamespace},
		{c, manifestsSelf, config.DefaultGroup, config.DefaultNamespace},
		{c, manifestsFiles, config.DefaultGroup, config.DefaultNamespace},
		{c, manifestsCertManager, "claims.example.com", "claims"},
		{c, manifestsSelf, "claims.example.com", "1e3"},
		{c, chartHelm3, "claims.example.com", "chart-3"},
		{c, chartHelm4, config.DefaultGroup, "chart-4"},
	} {
		t.Run(of.name+", "+of.group, func(t *testing.T) {
			t.Run("applied objects are stored unchanged", of.isStoredUnchanged)
			t.Run("a second apply changes nothing", of.secondApplyChangesNothing)
			t.Run("the namespace lets its pods in and no others", of.podSecurity)
			if of.certificates == config.Self && of.group != config.DefaultGroup {
				// whose definitions must have an annotation, for any writer
				t.Run("the policy holds the server's account to the caBundle", of.policy)
			}
		})
	}
	t.Run("dashboards are put where Grafana looks, as the page says", c.dashboards)
}
