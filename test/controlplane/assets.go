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

// EnvAssets is the variable by which envtest, and setup-envtest before it, name the folder.
const EnvAssets = "KUBEBUILDER_ASSETS"

// Assets returns the folder with etcd, kube-apiserver and kubectl: KUBEBUILDER_ASSETS if it has all three, otherwise a
// folder of the user's cache, in which they are built if they are missing. That takes about five minutes.
func Assets(ctx context.Context) (string, error) {
	named := os.Getenv(EnvAssets)
	if named != "" && complete(named) {
		return named, nil
	}
	if named != "" {
		fmt.Fprintf(os.Stderr, "%s=%s: there is no control plane, taking our own\n", EnvAssets, named)
	}
	programs, err := Programs(ctx)
	if err != nil {
		return "", err
	}
	return programs.Folder(ctx)
}

func complete(folder string) bool {
	for _, name := range []string{"etcd", "kube-apiserver", "kubectl"} {
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			return false
		}
	}
	return true
}

// Programs of a control plane: etcd, kube-apiserver and kubectl. A module pins them and their dependencies.
func Programs(ctx context.Context) (programs.Set, error) {
	kubernetes, version, err := kubernetes(ctx, "kube-apiserver", "kubectl")
	if err != nil {
		return programs.Set{}, err
	}
	return programs.Set{
		Name: "controlplane",
		Notice: "building a control plane of Kubernetes " + version +
			" once, which takes about five minutes on two cores, and downloads",
		Programs: append([]programs.Program{{
			Name: "etcd", Dir: pinned(), Sources: []string{"go.mod", "go.sum"},
			Args: []string{"-trimpath", "-ldflags", "-s -w", "go.etcd.io/etcd/server/v3"},
			Env:  []string{"CGO_ENABLED=0"},
		}}, kubernetes...),
	}, nil
}

// Node is what Kubernetes itself has beside a control plane for a node that runs pods, in the same release.
func Node(ctx context.Context) ([]programs.Program, error) {
	node, _, err := kubernetes(ctx, "kubelet", "kube-controller-manager", "kube-scheduler", "kube-proxy")
	return node, err
}

// kubernetes' programs of the release that is pinned.
func kubernetes(ctx context.Context, names ...string) (all []programs.Program, version string, err error) {
	dir := pinned()
	if version, err = versionIn(ctx, dir); err != nil {
		return nil, "", err
	}
	for _, name := range names {
		all = append(all, programs.Program{
			Name: name, Dir: dir, Sources: []string{"go.mod", "go.sum"},
			Args: []string{"-trimpath", "-ldflags", "-s -w " + versionStamps(version), "k8s.io/kubernetes/cmd/" + name},
			Env:  []string{"CGO_ENABLED=0"},
		})
	}
	return all, version, nil
}

// pinned is the folder of the module that says which Kubernetes this is, and which etcd.
func pinned() string { return filepath.Join(programs.Root(), "test", "controlplane", "kubernetes") }

// versionStamps are the version flags of Kubernetes' own build. Without them, programs report v0.0.0, which kubectl and
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

// versionIn a module file of a folder, of Kubernetes.
func versionIn(ctx context.Context, dir string, flags ...string) (string, error) {
	list := exec.CommandContext(ctx, "go",
		append(append([]string{"list"}, flags...), "-m", "-f", "{{.Version}}", "k8s.io/kubernetes")...)
	list.Dir, list.Env = dir, append(os.Environ(), "GOWORK=off")
	version, err := list.Output()
	if err != nil {
		return "", fmt.Errorf("read which Kubernetes is pinned: %s: %w", list, err)
	}
	return strings.TrimSpace(string(version)), nil
}
