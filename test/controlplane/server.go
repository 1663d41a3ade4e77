package controlplane

import (
	"context"
	"path/filepath"

	"github.com/claimbridge/claimbridge/test/programs"
)

// apiServerModfiles are the module files of the other releases of kube-apiserver: releases that serve claims with
// devices but no v1, and the newest.
var apiServerModfiles = map[string]string{"1.32": "v1.32.mod", "1.33": "go.mod", "1.37": "v1.37.mod"}

// BuildAPIServer returns the path of a kube-apiserver of another release than that of [Assets]. It builds the program
// if it is not in the cache, which takes some minutes. The path is empty if no module file has the release.
func BuildAPIServer(ctx context.Context, release string) (string, error) {
	modfile := apiServerModfiles[release]
	if modfile == "" {
		return "", nil
	}
	dir := filepath.Join(programs.Root(), "test", "controlplane", "releases")
	version, err := kubernetesVersion(ctx, dir, "-modfile="+modfile)
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
