package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A folder that is somebody's stays as it is, and so does a release that is not made again.
func TestOutputIsNobodyElses(t *testing.T) {
	const of = `{"predicate": {"buildDefinition": {"externalParameters": {"repository": %q, "version": %q}}}}`
	ours := map[string]string{"a.tar.gz": "packed", provenanceFile: fmt.Sprintf(of, repository, "v0.2.0")}
	with := func(more map[string]string) map[string]string {
		all := maps.Clone(ours)
		maps.Copy(all, more)
		return all
	}
	for is, test := range map[string]struct {
		files   map[string]string // with their sums
		besides map[string]string // without
		want    string
	}{
		"an empty folder":                                {want: ""},
		"the same version, made before":                  {files: ours},
		"somebody's folder":                              {besides: map[string]string{"thesis.tex": ""}, want: "is no release"},
		"a release with something else":                  {files: ours, besides: map[string]string{"b": ""}, want: "b in it is of no release"},
		"a release with a name that ends like another":   {files: with(map[string]string{"ab": ""}), besides: map[string]string{"b": ""}, want: "b in it is of no release"},
		"a release with notes that somebody changed":     {files: ours, besides: map[string]string{"a.tar.gz": "packed by hand"}, want: "a.tar.gz in it is not as the release had it"},
		"a folder by the name of a file":                 {files: with(map[string]string{"x": "drawn"}), besides: map[string]string{"x/thesis.tex": ""}, want: "x in it is of no release, which has files alone"},
		"something of somebody that has sums":            {files: map[string]string{"kubernetes.tar.gz": "packed"}, want: "is no release"},
		"a release of somebody that has a provenance":    {files: map[string]string{provenanceFile: fmt.Sprintf(of, "https://github.com/kubernetes/kubernetes", "v0.2.0")}, want: provenanceFile + " is not of " + repository},
		"a provenance that is none":                      {files: map[string]string{provenanceFile: "<xml>"}, want: provenanceFile + ": invalid character"},
		"another version":                                {files: with(map[string]string{provenanceFile: fmt.Sprintf(of, repository, "v0.1.0")}), want: "has the release v0.1.0, which is not the one that is made"},
		"what came before the version, which is one too": {files: with(map[string]string{provenanceFile: fmt.Sprintf(of, repository, "v0.2.0-rc.1")}), want: "has the release v0.2.0-rc.1"},
	} {
		folder := t.TempDir()
		put := func(name, text string) {
			at := filepath.Join(folder, name)
			if within := filepath.Dir(at); within != folder { // in the place of a file, which has its sum
				if err := errors.Join(os.Remove(within), os.Mkdir(within, 0o700)); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var sums strings.Builder
		for name, text := range test.files {
			put(name, text)
			fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256([]byte(text)), name)
		}
		if test.files != nil {
			put(sumsFile, sums.String())
		}
		for name, text := range test.besides {
			put(name, text)
		}
		err := (&release{output: folder, version: "v0.2.0"}).mayReplace()
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", is, err, test.want)
		}
	}
	if err := (&release{output: filepath.Join(t.TempDir(), "new"), version: "v0.2.0"}).mayReplace(); err != nil {
		t.Errorf("a folder that is not there: %v", err)
	}
}

// What cannot be put in its place leaves what was there.
func TestAReleaseTakesThePlaceOfTheOneBefore(t *testing.T) {
	folder := t.TempDir()
	output, staging := filepath.Join(folder, "dist"), filepath.Join(folder, ".release-1")
	holds := func(want string) {
		t.Helper()
		if text, err := os.ReadFile(filepath.Join(output, "a")); string(text) != want {
			t.Errorf("want %q, got %q and %v", want, text, err)
		}
		if left, err := os.ReadDir(folder); len(left) != 1 {
			t.Errorf("left beside it: %v, %v", left, err)
		}
	}
	for _, text := range []string{"one", "two"} { // in no place, and in that of another
		if err := errors.Join(os.Mkdir(staging, 0o755), os.WriteFile(filepath.Join(staging, "a"), []byte(text), 0o644), replace(staging, output)); err != nil {
			t.Fatal(err)
		}
		holds(text)
	}
	if err := replace(staging, output); err == nil {
		t.Error("what is not there took a place")
	}
	holds("two")
}
