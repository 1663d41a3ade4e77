package integrations

import (
	"path/filepath"

	"github.com/claimbridge/claimbridge/test/programs"
)

// Names of the programs.
const (
	Kustomize = "kustomize"
	Helm3     = "helm3"
	Helm4     = "helm4"
)

var packages = map[string]string{
	Kustomize: "sigs.k8s.io/kustomize/kustomize/v5",
	Helm3:     "helm.sh/helm/v3/cmd/helm",
	Helm4:     "helm.sh/helm/v4/cmd/helm",
}

// Set of the programs. The folder is that of this package.
func Set(folder string) programs.Set {
	set := programs.Set{Name: "renderers", Patience: "building kustomize and two releases of Helm once, which takes some minutes, and downloads"}
	for _, name := range []string{Kustomize, Helm3, Helm4} {
		set.Programs = append(set.Programs, programs.Program{
			Name: name, Dir: filepath.Join(folder, name), Sources: []string{"go.mod", "go.sum"},
			Args: []string{"-ldflags", "-s -w", packages[name]}, Env: []string{"CGO_ENABLED=0"},
		})
	}
	return set
}

// Readers of reports, which take seconds to build.
func Readers(folder string) programs.Set {
	return programs.Set{Name: "readers", Patience: "building what reads reports once, which takes some seconds, and downloads", Programs: []programs.Program{{
		Name: "readers", Dir: filepath.Join(folder, "readers"), Sources: []string{"main.go", "go.mod", "go.sum"},
		Args: []string{"-ldflags", "-s -w", "."}, Env: []string{"CGO_ENABLED=0"},
	}}}
}
