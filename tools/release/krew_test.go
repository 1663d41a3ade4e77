package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// krew has the programs of the krew module: krew itself, and the validator of its index.
type krew struct {
	folder string // of the programs
	root   string // of the installations
}

func newKrew(t *testing.T) krew {
	t.Helper()
	k := krew{folder: t.TempDir(), root: t.TempDir()}
	build := exec.CommandContext(t.Context(), "go", "-C", "../..", "build", "-modfile=tools/go.mod", "-o", k.folder+"/",
		"sigs.k8s.io/krew/cmd/krew", "sigs.k8s.io/krew/cmd/validate-krew-manifest")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return k
}

// validate validates a manifest like the index of krew, without downloading the archives.
func (k krew) validate(t *testing.T, manifest string) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), filepath.Join(k.folder, "validate-krew-manifest"), "-skip-install",
		"-manifest="+manifest).CombinedOutput()
	if err != nil {
		t.Errorf("krew's index would reject %s: %v\n%s", manifest, err, out)
	}
}

// install installs the plugin of a manifest from an archive, as on a platform. It returns the folder of the plugin and
// the link by which kubectl finds it.
func (k krew) install(t *testing.T, manifest, archive, platform string) (folder, link string) {
	t.Helper()
	system, arch, _ := strings.Cut(platform, "/")
	root := filepath.Join(k.root, system+"-"+arch)
	cmd := exec.CommandContext(t.Context(), filepath.Join(k.folder, "krew"), "install", "--manifest="+manifest,
		"--archive="+archive)
	cmd.Env = append(os.Environ(), "KREW_ROOT="+root, "KREW_OS="+system, "KREW_ARCH="+arch, "KREW_NO_UPGRADE_CHECK=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("krew does not install the plugin on %s: %v\n%s", platform, err, out)
	}
	link = filepath.Join(root, "bin", "kubectl-claims")
	if system == "windows" {
		link += ".exe"
	}
	return filepath.Join(root, "store", "claims", "v0.2.0"), link
}
