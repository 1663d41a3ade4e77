package alerts

import (
	"path/filepath"

	"github.com/claimbridge/claimbridge/test/programs"
)

// Names of the programs.
const (
	Prometheus = "prometheus"
	Promtool   = "promtool"
)

// Set of Prometheus and promtool, with no service discovery but that of files. The folder is that of this package.
func Set(folder string) programs.Set {
	set := programs.Set{Name: "prometheus", Patience: "building Prometheus and promtool once, which takes some five minutes on two cores, and downloads"}
	for _, name := range []string{Prometheus, Promtool} {
		set.Programs = append(set.Programs, programs.Program{
			Name: name, Dir: filepath.Join(folder, "prometheus"), Sources: []string{"go.mod", "go.sum"},
			Args: []string{"-tags", "netgo,remove_all_sd", "-ldflags", "-s -w", "github.com/prometheus/prometheus/cmd/" + name}, Env: []string{"CGO_ENABLED=0"},
		})
	}
	return set
}
