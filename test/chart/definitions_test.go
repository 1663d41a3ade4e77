package chart

import (
	"encoding/json"
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
	download := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", "github.com/argoproj/argo-cd/v3")
	download.Dir = "../definitions"
	output, err := download.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", download, err, output)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(output, &module); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(module.Dir, "manifests/crds/application-crd.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
