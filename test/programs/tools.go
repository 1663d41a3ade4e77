package programs

import (
	"path/filepath"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Tools that tests run: programs of other projects, and programs that use their packages.
const (
	Helm3      = "helm3"
	Helm4      = "helm4"
	Kustomize  = "kustomize"
	Prometheus = "prometheus"
	Promtool   = "promtool"
	// SARIFValidator validates the SARIF report on its standard input. Its argument is the file of the JSON schema.
	SARIFValidator = "sarifvalidator"
	// Conformance runs Kubernetes' conformance tests of resources. Its arguments are KUBECONFIG VERSION/RESOURCE...
	Conformance = "conformance"
	// CertManager runs the controller and the cainjector if its argument is a kubeconfig. In a pod, the name of its file
	// selects the component.
	CertManager = "certmanager"
)

// tools maps the name of a tool to the folder of its module below test, its package, its sources in that folder, and
// build flags.
var tools = map[string]struct {
	module, pkg    string
	sources, flags []string
}{
	Helm3:     {module: "programs/tools", pkg: "helm.sh/helm/v3/cmd/helm"},
	Helm4:     {module: "programs/tools", pkg: "helm.sh/helm/v4/cmd/helm"},
	Kustomize: {module: "programs/tools", pkg: "sigs.k8s.io/kustomize/kustomize/v5"},
	// These have only file-based service discovery.
	Prometheus: {
		module: "programs/tools",
		pkg:    "github.com/prometheus/prometheus/cmd/prometheus",
		flags:  []string{"-tags", "netgo,remove_all_sd"},
	},
	Promtool: {
		module: "programs/tools",
		pkg:    "github.com/prometheus/prometheus/cmd/promtool",
		flags:  []string{"-tags", "netgo,remove_all_sd"},
	},
	SARIFValidator: {
		module:  "programs/tools",
		pkg:     "./sarifvalidator",
		sources: []string{"sarifvalidator/main.go"},
	},
	Conformance: {
		module:  "controlplane/kubernetes",
		pkg:     "./conformance",
		sources: []string{"conformance/main.go", "conformance/patch.go", "conformance/resource.go"},
	},
	// It requires other releases of modules that claimbridge also requires.
	CertManager: {
		module:  "certmanager/program",
		pkg:     ".",
		sources: []string{"main.go", "controller.go", "cainjector.go", "webhook.go"},
	},
}

// Tool returns the path of a tool. It builds the tool if it is not in the user's cache. On two cores, that takes about
// four minutes for Prometheus, three for cert-manager, and one or two for each of the other tools.
func Tool(t testing.TB, name string) string {
	t.Helper()
	tool := tools[name]
	folder := must.Get(Set{
		Name: "tools/" + name, Notice: "building " + name + " once, which takes some minutes and downloads modules",
		Programs: []Program{{
			Name:    name,
			Dir:     filepath.Join(Root(), "test", tool.module),
			Sources: append([]string{"go.mod", "go.sum"}, tool.sources...),
			Args:    append(append([]string{"-ldflags", "-s -w"}, tool.flags...), tool.pkg),
			Env:     []string{"CGO_ENABLED=0"},
		}},
	}.Folder(t.Context()))(t)
	return filepath.Join(folder, name)
}
