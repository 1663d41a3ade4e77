package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	cdx "github.com/CycloneDX/cyclonedx-go"
	slsa "github.com/in-toto/attestation/go/predicates/provenance/v1"
	intoto "github.com/in-toto/attestation/go/v1"
	"google.golang.org/protobuf/encoding/protojson"
)

func (r builtRelease) sumOf(t *testing.T, name string) string {
	t.Helper()
	sum := sha256.Sum256([]byte(r.read(t, name)))
	return hex.EncodeToString(sum[:])
}

func (r builtRelease) checkSums(t *testing.T) {
	files := must(os.ReadDir(r.folder))(t)
	var want strings.Builder
	for _, file := range files {
		if file.Name() != "SHA256SUMS" {
			want.WriteString(r.sumOf(t, file.Name()) + "  " + file.Name() + "\n")
		}
	}
	if got := r.read(t, "SHA256SUMS"); got != want.String() {
		t.Errorf("got\n%s\nwant\n%s", got, &want)
	}
	if len(files) < 13 {
		t.Errorf("the release has %d files, want at least 13", len(files))
	}
}

func (r builtRelease) checkPrograms(t *testing.T) {
	file := filepath.Join(r.unpacked, program)
	if got, want := r.run(t, file, "version"), "claimbridge v0.2.0 (go1."; !strings.HasPrefix(got, want) {
		t.Errorf("version: got %q, want prefix %q", got, want)
	}
	got := r.run(t, file, "convert", "--to=v1", "-f", filepath.Join(r.unpacked, "docs/examples/claim-v1alpha1.yaml"))
	if want := "apiVersion: resource.k8s.io/v1\n"; !strings.Contains(got, want) {
		t.Errorf("convert: got\n%s\nwant it to contain %q", got, want)
	}
	got = r.run(t, file, "manifests", "--group=claims.example.com")
	if want := "image: ghcr.io/claimbridge/claimbridge:v0.2.0\n"; !strings.Contains(got, want) {
		t.Errorf("manifests: got\n%s\nwant the image of the release: %q", got, want)
	}
}

// checkDocumentedFiles checks that the files in commands of the documentation are in the archive or the release folder.
func (r builtRelease) checkDocumentedFiles(t *testing.T) {
	for page, minFiles := range map[string]int{"bridge.md": 2, "releases.md": 1} {
		text := r.read(t, must(filepath.Abs("../../docs/"+page))(t))
		files := regexp.MustCompile(`-f (docs/\S+|claimbridge_v0\.2\.0_\S+)`).FindAllStringSubmatch(text, -1)
		if len(files) < minFiles {
			t.Errorf("%s has the files %q, want at least %d", page, files, minFiles)
		}
		for _, file := range files {
			location := filepath.Join(r.unpacked, file[1])
			if strings.HasPrefix(file[1], "claimbridge_") {
				location = filepath.Join(r.folder, file[1])
			}
			if _, err := os.Stat(location); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
}

func (r builtRelease) checkSBOM(t *testing.T) {
	var bom cdx.BOM
	mustDo(t, cdx.NewBOMDecoder(strings.NewReader(r.read(t, r.archive+".cdx.json")), cdx.BOMFileFormatJSON).Decode(&bom))
	dependencies := map[string][]string{}
	for _, d := range *bom.Dependencies {
		dependencies[d.Ref] = *d.Dependencies
	}
	var want []string
	for _, line := range strings.Split(r.run(t, "go", "version", "-m", filepath.Join(r.unpacked, program)), "\n") {
		if fields := strings.Fields(line); len(fields) > 2 && fields[0] == "dep" {
			want = append(want, "pkg:golang/"+fields[1]+"@"+fields[2])
			files, err := filepath.Glob(filepath.Join(r.unpacked, "licenses", fields[1], "*"))
			if err != nil || len(files) == 0 {
				t.Errorf("the archive has no license of %s: %v", fields[1], err)
			}
		}
	}
	got := slices.DeleteFunc(slices.Clone(dependencies[program]), func(ref string) bool {
		return strings.HasPrefix(ref, "pkg:golang/std@")
	})
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant the modules of go version -m\n%q", got, want)
	}
	if len(want) < 20 {
		t.Errorf("go version -m lists %d modules, want at least 20", len(want))
	}
	if count := len(dependencies[program]) - len(got); count != 1 {
		t.Errorf("got %d dependencies on the standard library, want 1", count)
	}
	for _, c := range *bom.Components {
		if c.Licenses == nil || len(*c.Licenses) == 0 {
			t.Errorf("%s has no license", c.Name)
		}
		if c.Type != cdx.ComponentTypeApplication {
			continue
		}
		if got, want := (*c.Hashes)[0].Value, r.sumOf(t, filepath.Join(r.unpacked, c.Name)); got != want {
			t.Errorf("sum of %s: got %s, want %s", c.Name, got, want)
		}
	}
}

func (r builtRelease) checkProvenance(t *testing.T) {
	var statement intoto.Statement
	mustDo(t, protojson.Unmarshal([]byte(r.read(t, "provenance.intoto.json")), &statement))
	var predicate slsa.Provenance
	text := must(protojson.Marshal(statement.Predicate))(t)
	mustDo(t, errors.Join(statement.Validate(), protojson.Unmarshal(text, &predicate), predicate.Validate()))
	notes := r.read(t, "notes.md")
	var files []string // in the format of SHA256SUMS
	for _, s := range statement.Subject {
		if !strings.Contains(s.Name, "/") {
			files = append(files, s.Digest["sha256"]+"  "+s.Name)
		} else if want := s.Name + "@sha256:" + s.Digest["sha256"]; !strings.Contains(notes, want) {
			t.Errorf("the notes do not have the image %s:\n%s", want, notes)
		}
	}
	for line := range strings.Lines(r.read(t, "SHA256SUMS")) {
		line = strings.TrimSpace(line)
		if !strings.HasSuffix(line, ".intoto.json") && !slices.Contains(files, line) {
			t.Errorf("%s is not a subject of the provenance, which has %q", line, files)
		}
	}
	commit := strings.TrimSpace(r.run(t, "git", "rev-parse", "HEAD"))
	dependencies := predicate.BuildDefinition.ResolvedDependencies
	if len(dependencies) < 20 {
		t.Fatalf("got %d dependencies, want at least 20", len(dependencies))
	}
	if got := dependencies[0].Digest["gitCommit"]; got != commit {
		t.Errorf("commit of the first dependency: got %q, want %q", got, commit)
	}
}
