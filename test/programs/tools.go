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
	Readers    = "readers" // reads reports with the parsers of other projects
	// Conformance runs Kubernetes' conformance test of a resource. Its arguments are KUBECONFIG VERSION/RESOURCE...
	Conformance = "conformance"
	// CertManager runs the controller and the cainjector if its argument is a kubeconfig. In a pod, the name of its file
	// selects the component.
	CertManager = "certmanager"
)

// tools maps the name of a tool to the folder of its module in test, its package, its sources in the folder, and build
// flags.
var tools = map[string]struct {
	module, path   string
	sources, flags []string
}{
	Helm3:     {module: "programs/others", path: "helm.sh/helm/v3/cmd/helm"},
	Helm4:     {module: "programs/others", path: "helm.sh/helm/v4/cmd/helm"},
	Kustomize: {module: "programs/others", path: "sigs.k8s.io/kustomize/kustomize/v5"},
	// Only the service discovery of files.
	Prometheus: {
		module: "programs/others",
		path:   "github.com/prometheus/prometheus/cmd/prometheus",
		flags:  []string{"-tags", "netgo,remove_all_sd"},
	},
	Promtool: {
		module: "programs/others",
		path:   "github.com/prometheus/prometheus/cmd/promtool",
		flags:  []string{"-tags", "netgo,remove_all_sd"},
	},
	Readers: {module: "programs/others", path: "./readers", sources: []string{"readers/main.go"}},
	Conformance: {
		module:  "controlplane/kubernetes",
		path:    "./conformance",
		sources: []string{"conformance/main.go", "conformance/patch.go", "conformance/resource.go"},
	},
	// It needs other releases of dependencies of claimbridge.
	CertManager: {
		module:  "certmanager/program",
		path:    ".",
		sources: []string{"main.go", "controller.go", "cainjector.go", "webhook.go"},
	},
}

// Tool returns the path of a tool. It builds the tool if it is not in the user's cache. On two cores, that takes about
// four minutes for Prometheus, three for cert-manager, and one or two for each of the other tools.
func Tool(t testing.TB, name string) string {
	t.Helper()
	tool := tools[name]
	folder := must.Get(Set{
		Name: "others/" + name, Notice: "building " + name + " once, which takes some minutes, and downloads",
		Programs: []Program{{
			Name:    name,
			Dir:     filepath.Join(Root(), "test", tool.module),
			Sources: append([]string{"go.mod", "go.sum"}, tool.sources...),
			Args:    append(append([]string{"-ldflags", "-s -w"}, tool.flags...), tool.path),
			Env:     []string{"CGO_ENABLED=0"},
		}},
	}.Folder(t.Context()))(t)
	return filepath.Join(folder, name)
}
