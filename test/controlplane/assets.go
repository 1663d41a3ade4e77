package controlplane

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/claimbridge/claimbridge/test/programs"
)

// EnvAssets is the environment variable in which envtest and setup-envtest expect the path of the folder.
const EnvAssets = "KUBEBUILDER_ASSETS"

// Assets returns the folder with etcd, kube-apiserver and kubectl: KUBEBUILDER_ASSETS if it has all three, otherwise a
// folder of the user's cache, in which they are built if they are missing. That takes about five minutes.
func Assets(ctx context.Context) (string, error) {
	assets := os.Getenv(EnvAssets)
	if assets != "" && hasPrograms(assets) {
		return assets, nil
	}
	if assets != "" {
		fmt.Fprintf(os.Stderr, "%s=%s has no control plane, so it is ignored\n", EnvAssets, assets)
	}
	programs, err := Programs(ctx)
	if err != nil {
		return "", err
	}
	return programs.Folder(ctx)
}

// hasPrograms reports whether a folder has all programs of a control plane.
func hasPrograms(folder string) bool {
	for _, name := range []string{"etcd", "kube-apiserver", "kubectl"} {
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			return false
		}
	}
	return true
}

// Programs returns the programs of a control plane: etcd, kube-apiserver and kubectl. A module pins their versions.
func Programs(ctx context.Context) (programs.Set, error) {
	kubernetes, version, err := kubernetesPrograms(ctx, "kube-apiserver", "kubectl")
	if err != nil {
		return programs.Set{}, err
	}
	return programs.Set{
		Name: "controlplane",
		Notice: "building a control plane of Kubernetes " + version +
			" once, which takes about five minutes on two cores, and downloads",
		Programs: append([]programs.Program{{
			Name: "etcd", Dir: moduleDir(), Sources: []string{"go.mod", "go.sum"},
			Args: []string{"-trimpath", "-ldflags", "-s -w", "go.etcd.io/etcd/server/v3"},
			Env:  []string{"CGO_ENABLED=0"},
		}}, kubernetes...),
	}, nil
}

// NodePrograms returns the other programs of Kubernetes that a cluster with a node needs, in the same release.
func NodePrograms(ctx context.Context) ([]programs.Program, error) {
	node, _, err := kubernetesPrograms(ctx, "kubelet", "kube-controller-manager", "kube-scheduler", "kube-proxy")
	return node, err
}

// kubernetesPrograms returns programs of the pinned release of Kubernetes, and its version.
func kubernetesPrograms(ctx context.Context, names ...string) (result []programs.Program, version string, err error) {
	dir := moduleDir()
	if version, err = kubernetesVersion(ctx, dir); err != nil {
		return nil, "", err
	}
	for _, name := range names {
		result = append(result, programs.Program{
			Name: name, Dir: dir, Sources: []string{"go.mod", "go.sum"},
			Args: []string{"-trimpath", "-ldflags", "-s -w " + versionStamps(version), "k8s.io/kubernetes/cmd/" + name},
			Env:  []string{"CGO_ENABLED=0"},
		})
	}
	return result, version, nil
}

// moduleDir returns the folder of the module that pins the versions of Kubernetes and etcd.
func moduleDir() string { return filepath.Join(programs.Root(), "test", "controlplane", "kubernetes") }

// versionStamps returns the version flags of Kubernetes' build. Without them, programs report v0.0.0, which kubectl and
// other clients can't use.
func versionStamps(version string) string {
	major, rest, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	minor, _, _ := strings.Cut(rest, ".")
	var flags []string
	for _, where := range []string{"k8s.io/component-base/version", "k8s.io/client-go/pkg/version"} {
		for _, stamp := range []string{
			"gitVersion=" + version, "gitMajor=" + major, "gitMinor=" + minor, "gitTreeState=clean",
		} {
			flags = append(flags, "-X "+where+"."+stamp)
		}
	}
	return strings.Join(flags, " ")
}

// kubernetesVersion returns the version of Kubernetes in the module file of a folder.
func kubernetesVersion(ctx context.Context, dir string, flags ...string) (string, error) {
	list := exec.CommandContext(ctx, "go",
		append(append([]string{"list"}, flags...), "-m", "-f", "{{.Version}}", "k8s.io/kubernetes")...)
	list.Dir, list.Env = dir, append(os.Environ(), "GOWORK=off")
	version, err := list.Output()
	if err != nil {
		return "", fmt.Errorf("read the pinned version of Kubernetes: %s: %w", list, err)
	}
	return strings.TrimSpace(string(version)), nil
}
