//go:build e2e

package repositories

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// source is a repository with the expected results. See testdata/README.md.
type source struct {
	Name        string              `json:"name"`
	Module      string              `json:"module"`
	Version     string              `json:"version"`
	Sum         string              `json:"sum"`
	Corpus      string              `json:"corpus"`
	Flags       []string            `json:"flags"`
	Errors      map[string][]string `json:"errors"`
	Warnings    map[string][]string `json:"warnings"`
	Chart       *chart              `json:"chart"`
	Maintainers *maintainers        `json:"maintainers"`
}

// chart is a chart in a folder, and a release that it supports.
type chart struct {
	Folder      string `json:"folder"`
	KubeVersion string `json:"kubeVersion"`
}

// maintainers is the release for which the maintainers migrated the same files manually.
type maintainers struct {
	Version     string            `json:"version"`
	Sum         string            `json:"sum"`
	Differences map[string]string `json:"differences"`
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

// documentPath matches the comment above a document of the corpus, which has its path in the repository.
var documentPath = regexp.MustCompile(`^# (\S+) @ \S+\n`)

// unpackCorpus writes the documents of a file of the corpus to their original paths.
func unpackCorpus(t *testing.T, corpus, to string) {
	t.Helper()
	text := must.Get(os.ReadFile(corpus))(t)
	files := map[string][]byte{}
	for document := range bytes.SplitSeq(text, []byte("\n---\n")) {
		document = append(bytes.TrimSuffix(document, []byte("\n")), '\n')
		path := documentPath.FindSubmatch(document)
		if path == nil {
			continue // a comment about the corpus
		}
		name := string(path[1])
		if len(files[name]) > 0 {
			files[name] = append(files[name], "---\n"...)
		}
		files[name] = append(files[name], document[len(path[0]):]...)
	}
	for name, text := range files {
		file := filepath.Join(to, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must.Do(t, os.WriteFile(file, text, 0o644))
	}
}

// module returns the folder of a release of a module in the module cache. It downloads a missing module.
func module(t *testing.T, path, version, sum string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", path+"@"+version)
	// outside of any module, whose go.mod would apply
	cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	out, err := cmd.Output()
	var downloaded struct{ Dir, Sum, Error string }
	if parsed := json.Unmarshal(out, &downloaded); parsed != nil || err != nil {
		t.Fatalf("%s: %v, %v: %s", cmd, err, parsed, downloaded.Error)
	}
	if downloaded.Sum != sum {
		t.Fatalf("%s@%s has the sum %s, want %s", path, version, downloaded.Sum, sum)
	}
	license, err := os.ReadFile(filepath.Join(downloaded.Dir, "LICENSE"))
	if err != nil || !strings.Contains(string(license), "Apache License") {
		t.Fatalf("%s@%s is not under the Apache License: %v", path, version, err)
	}
	return downloaded.Dir
}

// copyModule copies the files of a module to a folder, except for Go files, which have no claims.
func copyModule(t *testing.T, from, to string) {
	t.Helper()
	must.Do(t, filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || filepath.Ext(path) == ".go" {
			return err
		}
		relative, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(filepath.Join(to, relative)), 0o755)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(to, relative), text, 0o644)
		}
		return err
	}))
}
