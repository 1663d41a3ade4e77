package programs

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
)

// Programs of other projects, and Readers, which reads reports as others do.
const (
	Helm3      = "helm3"
	Helm4      = "helm4"
	Kustomize  = "kustomize"
	Prometheus = "prometheus"
	Promtool   = "promtool"
	Readers    = "readers"
)

// others are the packages of the programs, in the module of the folder others, with flags that they are built with.
var others = map[string]struct {
	path  string
	flags []string
}{
	Helm3:     {path: "helm.sh/helm/v3/cmd/helm"},
	Helm4:     {path: "helm.sh/helm/v4/cmd/helm"},
	Kustomize: {path: "sigs.k8s.io/kustomize/kustomize/v5"},
	// No service discovery but that of files.
	Prometheus: {path: "github.com/prometheus/prometheus/cmd/prometheus", flags: []string{"-tags", "netgo,remove_all_sd"}},
	Promtool:   {path: "github.com/prometheus/prometheus/cmd/promtool", flags: []string{"-tags", "netgo,remove_all_sd"}},
	Readers:    {path: "./readers"},
}

// Other gives the file of a program of another project. It is in the user's cache, or built: Prometheus takes some four minutes
// on two cores, each of the rest one or two.
func Other(ctx context.Context, name string) (string, error) {
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		return "", errors.New("the source of this package is not there")
	}
	other := others[name]
	sources := []string{"go.mod", "go.sum"}
	if name == Readers {
		sources = append(sources, filepath.Join("readers", "main.go"))
	}
	set := Set{
		Name: "others/" + name, Patience: "building " + name + " once, which takes some minutes, and downloads",
		Programs: []Program{{
			Name: name, Dir: filepath.Join(filepath.Dir(file), "others"), Sources: sources,
			Args: append(append([]string{"-ldflags", "-s -w"}, other.flags...), other.path), Env: []string{"CGO_ENABLED=0"},
		}},
	}
	folder, err := set.Folder(ctx)
	return filepath.Join(folder, File(name)), err
}
