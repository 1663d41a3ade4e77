package controlplane

import (
	"context"
	"path/filepath"

	"github.com/claimbridge/claimbridge/test/programs"
)

// servers of releases beside that of the assets, each by its module file: those that serve claims
// with devices and no v1, and the newest.
var servers = map[string]string{"1.32": "v1.32.mod", "1.33": "go.mod", "1.37": "v1.37.mod"}

// Server is the file of kube-apiserver of another release than that of the assets, built once, in
// some minutes; empty for a release that no module file has.
func Server(ctx context.Context, release string) (string, error) {
	modfile := servers[release]
	if modfile == "" {
		return "", nil
	}
	dir := filepath.Join(programs.Root(), "test", "controlplane", "releases")
	version, err := versionIn(ctx, dir, "-modfile="+modfile)
	if err != nil {
		return "", err
	}
	server := programs.Program{
		Name:    "kube-apiserver",
		Dir:     dir,
		Sources: []string{modfile, modfile[:len(modfile)-len("mod")] + "sum"},
		Env:     []string{"CGO_ENABLED=0"},
		Args: []string{
			"-modfile=" + modfile, "-trimpath", "-ldflags", "-s -w " + versionStamps(version),
			"k8s.io/kubernetes/cmd/kube-apiserver",
		},
	}
	folder, err := programs.Set{
		Name:     "servers/" + release,
		Notice:   "building kube-apiserver " + version + ", some minutes the first time, and downloads",
		Programs: []programs.Program{server},
	}.Folder(ctx)
	return filepath.Join(folder, server.Name), err
}
