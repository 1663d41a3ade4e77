package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// krew itself, and the program that validates what is offered to its index, both built of krew's module.
type krew struct{ folder, root string }

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

// validate a manifest as krew's index does, but for downloading what it names.
func (k krew) validate(t *testing.T, manifest string) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), filepath.Join(k.folder, "validate-krew-manifest"), "-skip-install",
		"-manifest="+manifest).CombinedOutput()
	if err != nil {
		t.Errorf("krew's index would reject %s: %v\n%s", manifest, err, out)
	}
}

// install a manifest's plugin from an archive, as on the platform, and say what stands where now:
// the folder of the plugin, and the link by which kubectl finds it.
func (k krew) install(t *testing.T, manifest, archive, platform string) (folder, link string) {
	t.Helper()
	system, arch, _ := strings.Cut(platform, "/")
	root := filepath.Join(k.root, system+"-"+arch)
	cmd := exec.CommandContext(t.Context(), filepath.Join(k.folder, "krew"), "install", "--manifest="+manifest,
		"--archive="+archive)
	cmd.Env = append(os.Environ(), "KREW_ROOT="+root, "KREW_OS="+system, "KREW_ARCH="+arch, "KREW_NO_UPGRADE_CHECK=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("krew installs nothing on %s: %v\n%s", platform, err, out)
	}
	link = filepath.Join(root, "bin", "kubectl-claims")
	if system == "windows" {
		link += ".exe"
	}
	return filepath.Join(root, "store", "claims", "v0.2.0"), link
}
