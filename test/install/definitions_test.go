//go:build e2e

package install

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// fluxDefinitions are made of the types of Flux's releases by the program that makes Flux's own.
func fluxDefinitions(t *testing.T) string {
	t.Helper()
	generate := exec.CommandContext(t.Context(), "go", "tool", "controller-gen", "crd", "paths=github.com/fluxcd/helm-controller/api/v2", "paths=github.com/fluxcd/source-controller/api/v1", "output:crd:stdout")
	generate.Dir = "../programs/others"
	text, err := generate.Output()
	if err != nil {
		t.Fatalf("%v: %v", generate, err)
	}
	return string(text)
}

// argoDefinition of an Application, as Argo CD's release has it. Its module has 55 MB.
func argoDefinition(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(module(t, "../definitions", "github.com/argoproj/argo-cd/v3"), "manifests/crds/application-crd.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
