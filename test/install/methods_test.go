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

// installMethod is a method of installing the webhook server.
type installMethod struct {
	name         string
	certificates config.Certificates
	// helmVersion is the version of Helm that installs the chart; empty for claimbridge manifests and kubectl.
	helmVersion string
}

var (
	manifestsCertManager = installMethod{"manifests, certificates of cert-manager", config.CertManager, ""}
	manifestsSelf        = installMethod{"manifests, certificates of the server", config.Self, ""}
	manifestsFiles       = installMethod{"manifests, certificates in files", config.Files, ""}
	chartHelm3           = installMethod{"chart, Helm 3", config.Self, programs.Helm3}
	chartHelm4           = installMethod{"chart, Helm 4", config.Self, programs.Helm4}
)

var installMethods = []installMethod{manifestsCertManager, manifestsSelf, manifestsFiles, chartHelm3, chartHelm4}

// installation is an installation in a cluster with one of the methods.
type installation struct {
	*cluster
	installMethod
	group, namespace string
}

// stream returns a YAML stream of all objects of the installation, including the ServiceMonitor.
func (i *installation) stream(t *testing.T, policy bool) string {
	t.Helper()
	o := config.Options{Group: i.group, Namespace: i.namespace, Certificates: i.certificates, AdmissionPolicy: policy}
	if i.helmVersion == "" {
		text := string(must.Get(config.Manifests(o))(t))
		o.Only = config.MonitorPart
		return text + "---\n" + string(must.Get(config.Manifests(o))(t))
	}
	return newHelm(t, i.helmVersion).run(t, "template", "mine", chartFolder, "--namespace="+i.namespace,
		"--set=createNamespace=true", "--set=group="+i.group, "--set=image.tag="+imageTag,
		"--set=certificates="+string(i.certificates), fmt.Sprintf("--set=admissionPolicy=%t", policy),
		"--set=monitor.enabled=true")
}

// apply applies a stream as GitOps tools do: with server-side apply and their own field manager.
func (i *installation) apply(t *testing.T, stream string) {
	t.Helper()
	output := i.Kubectl(t, []byte(stream), "apply", "--server-side", "--force-conflicts", "--field-manager=gitops",
		"-f", "-")
	if got, want := strings.Count(output, " serverside-applied\n"), len(objectsByTitle(t, stream)); got != want {
		t.Errorf("got %d objects applied, want %d:\n%s", got, want, output)
	}
}

// TestInstalledObjects checks the objects of each method. The methods run one after the other in one cluster, because
// most objects have the same names.
func TestInstalledObjects(t *testing.T) {
	t.Parallel()
	c := newCluster(t, plane.WithoutClaims)
	t.Run("kubectl apply without options", c.checkPlainApply)
	t.Run("manifests for a free group", c.checkFreeGroup)
	for _, i := range []installation{
		{c, manifestsCertManager, config.DefaultGroup, config.DefaultNamespace},
		{c, manifestsSelf, config.DefaultGroup, config.DefaultNamespace},
		{c, manifestsFiles, config.DefaultGroup, config.DefaultNamespace},
		{c, manifestsCertManager, "claims.example.com", "claims"},
		{c, manifestsSelf, "claims.example.com", "1e3"},
		{c, chartHelm3, "claims.example.com", "chart-3"},
		{c, chartHelm4, config.DefaultGroup, "chart-4"},
	} {
		t.Run(i.name+", "+i.group, func(t *testing.T) {
			t.Run("applied objects are stored unchanged", i.checkStoredUnchanged)
			t.Run("a second apply changes nothing", i.checkSecondApply)
			t.Run("the namespace admits only restricted pods", i.checkPodSecurity)
			// CRDs of the default group must keep the annotation api-approved.kubernetes.io. The API server would
			// reject an abuse that removes it even without the policy.
			if i.certificates == config.Self && i.group != config.DefaultGroup {
				t.Run("the policy allows the server's account only to write the caBundle", i.checkPolicy)
			}
		})
	}
	t.Run("the documented commands install the dashboard", c.checkDashboardCommands)
}
