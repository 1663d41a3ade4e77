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

// source is a repository, and what is expected of it. See testdata/README.md.
type source struct {
	Name    string              `json:"name"`
	Module  string              `json:"module"`
	Version string              `json:"version"`
	Sum     string              `json:"sum"`
	Corpus  string              `json:"corpus"`
	Flags   []string            `json:"flags"`
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

// placeOf a document in its repository is the comment that the corpus has above it.
var placeOf = regexp.MustCompile(`^# (\S+) @ \S+\n`)

// unpacked puts the documents of a file of the corpus where their authors had them.
func unpacked(t *testing.T, corpus, to string) {
	t.Helper()
	text := must.Get(os.ReadFile(corpus))(t)
	files := map[string][]byte{}
	for document := range bytes.SplitSeq(text, []byte("\n---\n")) {
		document = append(bytes.TrimSuffix(document, []byte("\n")), '\n')
		place := placeOf.FindSubmatch(document)
		if place == nil {
			continue // what is said of the corpus itself
		}
		name := string(place[1])
		if len(files[name]) > 0 {
			files[name] = append(files[name], "---\n"...)
		}
		files[name] = append(files[name], document[len(place[0]):]...)
	}
	for name, text := range files {
		file := filepath.Join(to, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must.Do(t, os.WriteFile(file, text, 0o644))
	}
}

// module is the folder of a release of a module, as Go keeps it. It is downloaded when it is not there yet.
func module(t *testing.T, path, version, sum string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", path+"@"+version)
	// in no module, whose files would have a say
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

// cloned puts the files of a module into a folder, but for its Go files: claims are in none of them.
func cloned(t *testing.T, from, to string) {
	t.Helper()
	must.Do(t, filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || filepath.Ext(path) == ".go" {
			return err
		}
		below, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(filepath.Join(to, below)), 0o755)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(to, below), text, 0o644)
		}
		return err
	}))
}
