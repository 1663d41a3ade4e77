//go:build e2e

package repositories

import (
	"os"
	"testing"

	"sigs.k8s.io/yaml"
)

// source is a repository, and what is expected of it. See testdata/README.md.
type source struct {
	Name    string              `json:"name"`
	Module  string              `json:"module"`
	Version string              `json:"version"`
	Sum     string              `json:"sum"`
	Corpus  string              `json:"corpus"`
	Left    map[string][]string `json:"left"`
	Warned  map[string][]string `json:"warned"`
	Chart   *chart              `json:"chart"`
	People  *people             `json:"people"`
}

// chart in a folder, and a release that it is for.
type chart struct {
	Folder      string `json:"folder"`
	KubeVersion string `json:"kubeVersion"`
}

// people have migrated the same files by hand.
type people struct {
	Version string            `json:"version"`
	Sum     string            `json:"sum"`
	Differ  map[string]string `json:"differ"`
}

func table(t *testing.T) (all []source) {
	t.Helper()
	data, err := os.ReadFile("testdata/repositories.yaml")
	if err == nil {
		err = yaml.UnmarshalStrict(data, &all)
	}
	if err != nil || len(all) == 0 {
		t.Fatalf("%d repositories: %v", len(all), err)
	}
	return all
}
