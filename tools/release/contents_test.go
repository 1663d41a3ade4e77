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

func (m builtRelease) sum(t *testing.T, name string) string {
	t.Helper()
	digest := sha256.Sum256([]byte(m.read(t, name)))
	return hex.EncodeToString(digest[:])
}

func (m builtRelease) sums(t *testing.T) {
	files := must(os.ReadDir(m.folder))(t)
	var want strings.Builder
	for _, file := range files {
		if file.Name() != "SHA256SUMS" {
			want.WriteString(m.sum(t, file.Name()) + "  " + file.Name() + "\n")
		}
	}
	if got := m.read(t, "SHA256SUMS"); got != want.String() || len(files) < 13 {
		t.Errorf("got\n%s\nwant\n%s", got, &want)
	}
}

func (m builtRelease) programs(t *testing.T) {
	if got := m.runs(t, filepath.Join(m.unpacked, program),
		"version"); !strings.HasPrefix(got, "claimbridge v0.2.0 (go1.") {
		t.Error(got)
	}
	if got := m.runs(t, filepath.Join(m.unpacked, program), "convert", "--to=v1", "-f",
		filepath.Join(m.unpacked, "docs/examples/claim-v1alpha1.yaml")); !strings.Contains(got,
		"apiVersion: resource.k8s.io/v1\n") {
		t.Error(got)
	}
	got := m.runs(t, filepath.Join(m.unpacked, program), "manifests", "--group=claims.example.com")
	if !strings.Contains(got, "image: ghcr.io/claimbridge/claimbridge:v0.2.0\n") {
		t.Error("the default image of the manifests is not that of the release")
	}
}

// pages checks that the files that the documentation refers to are in the archive or in the folder of the release.
func (m builtRelease) pages(t *testing.T) {
	for page, minimum := range map[string]int{"bridge.md": 2, "releases.md": 1} {
		text := m.read(t, must(filepath.Abs("../../docs/"+page))(t))
		files := regexp.MustCompile(`-f (docs/\S+|claimbridge_v0\.2\.0_\S+)`).FindAllStringSubmatch(text, -1)
		if len(files) < minimum {
			t.Errorf("%s names %q", page, files)
		}
		for _, file := range files {
			at := filepath.Join(m.unpacked, file[1])
			if strings.HasPrefix(file[1], "claimbridge_") {
				at = filepath.Join(m.folder, file[1])
			}
			if _, err := os.Stat(at); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
}

// must returns a value, or fails the test if there is an error.
func must[T any](value T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		mustDo(t, err)
		return value
	}
}

func mustDo(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (m builtRelease) bill(t *testing.T) {
	var bill cdx.BOM
	mustDo(t, cdx.NewBOMDecoder(strings.NewReader(m.read(t, m.name+".cdx.json")), cdx.BOMFileFormatJSON).Decode(&bill))
	dependencies := map[string][]string{}
	for _, d := range *bill.Dependencies {
		dependencies[d.Ref] = *d.Dependencies
	}
	var want []string
	for _, line := range strings.Split(m.runs(t, "go", "version", "-m", filepath.Join(m.unpacked, program)), "\n") {
		if fields := strings.Fields(line); len(fields) > 2 && fields[0] == "dep" {
			want = append(want, "pkg:golang/"+fields[1]+"@"+fields[2])
			files, err := filepath.Glob(filepath.Join(m.unpacked, "licenses", fields[1], "*"))
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
	if !slices.Equal(got, want) || len(want) < 20 || len(dependencies[program]) != len(got)+1 {
		t.Errorf("got\n%q\nwant the modules of go version -m\n%q", got, want)
	}
	for _, c := range *bill.Components {
		if c.Licenses == nil || len(*c.Licenses) == 0 {
			t.Errorf("%s has no license", c.Name)
		}
		if c.Type == cdx.ComponentTypeApplication &&
			(*c.Hashes)[0].Value != m.sum(t, filepath.Join(m.unpacked, c.Name)) {
			t.Errorf("%s has the sum of another program", c.Name)
		}
	}
}

func (m builtRelease) provenance(t *testing.T) {
	var statement intoto.Statement
	mustDo(t, protojson.Unmarshal([]byte(m.read(t, "provenance.intoto.json")), &statement))
	var predicate slsa.Provenance
	text := must(protojson.Marshal(statement.Predicate))(t)
	mustDo(t, errors.Join(statement.Validate(), protojson.Unmarshal(text, &predicate), predicate.Validate()))
	var got []string
	for _, s := range statement.Subject {
		if !strings.Contains(s.Name, "/") {
			got = append(got, s.Digest["sha256"]+"  "+s.Name)
		} else if !strings.Contains(m.read(t, "notes.md"), s.Name+"@sha256:"+s.Digest["sha256"]) {
			t.Errorf("the notes have another image than %s", s)
		}
	}
	for line := range strings.Lines(m.read(t, "SHA256SUMS")) {
		if line = strings.TrimSpace(line); !strings.HasSuffix(line, ".intoto.json") && !slices.Contains(got, line) {
			t.Errorf("%s is not a subject", line)
		}
	}
	commit := strings.TrimSpace(m.runs(t, "git", "rev-parse", "HEAD"))
	if d := predicate.BuildDefinition.ResolvedDependencies; d[0].Digest["gitCommit"] != commit || len(d) < 20 {
		t.Errorf("%d dependencies, of which the first is %s", len(d), d[0])
	}
}
