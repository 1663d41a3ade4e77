package programs

import (
	"path/filepath"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Programs of other projects, and those of this one that hold us against them.
const (
	Helm3      = "helm3"
	Helm4      = "helm4"
	Kustomize  = "kustomize"
	Prometheus = "prometheus"
	Promtool   = "promtool"
	Readers    = "readers" // reads reports as others do
	// Kubernetes' own check of a resource, of the release of the control planes: KUBECONFIG
	// VERSION/RESOURCE...
	Conformance = "conformance"
	// CertManager is controller and cainjector when it is called with a kubeconfig, and in a pod
	// what its file is called.
	CertManager = "certmanager"
)

// others are the packages of the programs: the folder of their module in test, their own sources
// there, and flags that they are built with.
var others = map[string]struct {
	module, path   string
	sources, flags []string
}{
	Helm3:     {module: "programs/others", path: "helm.sh/helm/v3/cmd/helm"},
	Helm4:     {module: "programs/others", path: "helm.sh/helm/v4/cmd/helm"},
	Kustomize: {module: "programs/others", path: "sigs.k8s.io/kustomize/kustomize/v5"},
	// No service discovery but that of files.
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
	// It needs other releases of what claimbridge is built with.
	CertManager: {
		module:  "certmanager/program",
		path:    ".",
		sources: []string{"main.go", "controller.go", "cainjector.go", "webhook.go"},
	},
}

// Other gives the file of a program of another project. It is in the user's cache, or built:
// Prometheus takes some four minutes on two cores, cert-manager three, each of the rest one or two.
func Other(t testing.TB, name string) string {
	t.Helper()
	other := others[name]
	folder := must.Get(Set{
		Name: "others/" + name, Patience: "building " + name + " once, which takes some minutes, and downloads",
		Programs: []Program{{
			Name:    name,
			Dir:     filepath.Join(Root(), "test", other.module),
			Sources: append([]string{"go.mod", "go.sum"}, other.sources...),
			Args:    append(append([]string{"-ldflags", "-s -w"}, other.flags...), other.path),
			Env:     []string{"CGO_ENABLED=0"},
		}},
	}.Folder(t.Context()))(t)
	return filepath.Join(folder, name)
}
