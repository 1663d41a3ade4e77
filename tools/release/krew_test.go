package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// krew has the programs of the krew module: krew, and the validator for manifests of krew's index.
type krew struct {
	folder string // has the programs
	root   string // parent of the KREW_ROOT folders, one for each platform
}

// newKrew builds the programs of the version in tools/go.mod.
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

// validate validates a manifest like krew's index, without downloading the archives.
func (k krew) validate(t *testing.T, manifest string) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), filepath.Join(k.folder, "validate-krew-manifest"), "-skip-install",
		"-manifest="+manifest).CombinedOutput()
	if err != nil {
		t.Errorf("krew's index would reject %s: %v\n%s", manifest, err, out)
	}
}

// install installs the plugin of a manifest from an archive, as krew does on a platform. It returns the folder of the
// plugin, and the link that kubectl runs.
func (k krew) install(t *testing.T, manifest, archive, platform string) (folder, link string) {
	t.Helper()
	goos, goarch, _ := strings.Cut(platform, "/")
	root := filepath.Join(k.root, goos+"-"+goarch)
	cmd := exec.CommandContext(t.Context(), filepath.Join(k.folder, "krew"), "install", "--manifest="+manifest,
		"--archive="+archive)
	cmd.Env = append(os.Environ(), "KREW_ROOT="+root, "KREW_OS="+goos, "KREW_ARCH="+goarch, "KREW_NO_UPGRADE_CHECK=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("krew cannot install the plugin on %s: %v\n%s", platform, err, out)
	}
	link = filepath.Join(root, "bin", "kubectl-claims")
	if goos == "windows" {
		link += ".exe"
	}
	return filepath.Join(root, "store", "claims", "v0.2.0"), link
}
