//go:build e2e

package install

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/built"
	"github.com/claimbridge/claimbridge/test/testkit/process"
)

// The chart of the aggregated API server: what is applied stays as it is, and what the server writes is what the page's examples ignore. It comes and goes with
// its server away, which is the worst time for it: then discovery fails for every client.
func TestLifeOfTheAggregatedChart(t *testing.T) {
	t.Parallel()
	c := start(t, "")
	h := newHelm(t, releases[0])
	h.kubeconfig = c.Shell.Kubeconfig

	i := installation{cluster: c}
	stream := h.run(t, "template", "mine", aggregatedChart, "--namespace="+namespace, "--set=createNamespace=true", "--set=certificates=self")
	i.apply(t, stream)
	for _, object := range listed(t, stream) {
		i.stays(t, object)
	}
	c.Kubectl(t, []byte(stream), "delete", "--wait=false", "-f", "-")

	const second = "aggregated" // the first namespace stays on its way out: there is no controller
	h.run(t, "install", "other", aggregatedChart, "--namespace="+second, "--create-namespace", "--set=certificates=self")
	before := c.liveIn(t, h, "other", second)
	c.serveAggregated(t, second)
	c.says(t, "LS0t LS0t", "", "get", "apiservices", "-l", "app.kubernetes.io/name=claimbridge-apiserver", "-o", `go-template={{range .items}}{{slice .spec.caBundle 0 4}} {{end}}`)
	covered(t, "the other chart", []rule{{"APIService", "", "/spec/caBundle"}, {"Secret", "claimbridge-apiserver-ca", "/data"}}, changed(before, c.liveIn(t, h, "other", second)))
	text, err := os.ReadFile(chartPage)
	if err != nil {
		t.Fatal(err)
	}
	for _, sentence := range []string{
		"`target: {kind: APIService}` with `paths: [/spec/caBundle]`, and the Secret `claimbridge-apiserver-ca`",
		"group `apiregistration.k8s.io`, kind `APIService`,\n`jsonPointers: [/spec/caBundle]`, and the Secret `claimbridge-apiserver-ca`",
	} {
		if !strings.Contains(string(text), sentence) {
			t.Errorf("%s does not say %q", chartPage, sentence)
		}
	}
	h.run(t, "uninstall", "other", "--namespace="+second)

	for _, release := range releases {
		h := newHelm(t, release)
		h.kubeconfig = c.Shell.Kubeconfig
		place := "--namespace=of-" + release
		h.run(t, "install", "mine", aggregatedChart, place, "--create-namespace", "--set=certificates=self")
		c.says(t, "False (", "", "get", "apiservices", "v1beta1.resource.k8s.io")
		h.run(t, "upgrade", "mine", aggregatedChart, place, "--set=certificates=self", "--set=versions={v1beta2}")
		if got := c.Kubectl(t, nil, "get", "apiservices", "-o", "name", "-l", "app.kubernetes.io/name=claimbridge-apiserver"); strings.TrimSpace(got) != "apiservice.apiregistration.k8s.io/v1beta2.resource.k8s.io" {
			t.Errorf("%s: after the upgrade there are %s", release, got)
		}
		h.run(t, "rollback", "mine", "1", place)
		if got := c.Kubectl(t, nil, "get", "apiservices", "-o", "name", "-l", "app.kubernetes.io/name=claimbridge-apiserver"); strings.Count(got, "\n") != 2 {
			t.Errorf("%s: after the rollback there are %s", release, got)
		}
		h.run(t, "uninstall", "mine", place)
		await.NoError(t, release+": the uninstall leaves nothing", func() error {
			got := c.Kubectl(t, nil, "get", place, "-o", "name", "-l", "app.kubernetes.io/name=claimbridge-apiserver", "apiservices,clusterroles,clusterrolebindings,roles,rolebindings,"+
				"secrets,services,deployments,serviceaccounts,networkpolicies,poddisruptionbudgets,resourcequotas")
			if strings.Contains(got, "/") {
				return errors.New(got)
			}
			return nil
		})
	}
}

// serveAggregated as the account of the chart. Nobody has to reach it.
func (c *cluster) serveAggregated(t *testing.T, namespace string) {
	t.Helper()
	token, err := c.Token(t.Context(), namespace, "claimbridge-apiserver", nil)
	if err != nil {
		t.Fatal(err)
	}
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(kubeconfig, c.KubeconfigOf(t, token, namespace), 0o600); err != nil {
		t.Fatal(err)
	}
	server := exec.Command(built.APIServer(t), "--kubeconfig="+kubeconfig, "--authentication-kubeconfig="+kubeconfig, "--authorization-kubeconfig="+kubeconfig,
		"--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", plane.Port(t)), "--certificate-secret="+namespace+"/claimbridge-apiserver-ca",
		"--tls-dns-names=claimbridge-apiserver."+namespace+".svc")
	server.Env = append(os.Environ(), "POD_NAMESPACE="+namespace)
	process.Start(t, server)
}
