package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/conversion"
)

// TestManifestsOfDriversGoThroughAllVersions takes what a driver published in five versions, whole files with pods, to the release
// of today, from there to every version, and back. Nothing is lost, nothing is added, and it is valid.
func TestManifestsOfDriversGoThroughAllVersions(t *testing.T) {
	files, err := filepath.Glob("../../conversion/testdata/corpus/NVIDIA*.yaml")
	if err != nil || len(files) < 5 {
		t.Fatalf("no manifests: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			today, told, code := claimbridge(t, "", "convert", "--to", "1.36", "-o", "json", "-f", file)
			if code != 0 {
				t.Fatalf("exit code %d: %s", code, told)
			}
			if verdicts, told, code := claimbridge(t, today, "validate", "--kubernetes-release", "1.36"); code != 0 {
				t.Errorf("exit code %d: %s%s", code, verdicts, told)
			}
			downAndUp(t, today)
		})
	}
}

// downAndUp converts objects of v1 to every version, and back.
func downAndUp(t *testing.T, today string) {
	t.Helper()
	for _, version := range conversion.Versions() {
		there, told, code := claimbridge(t, today, "convert", "--to", version)
		if code != 0 {
			t.Fatalf("to %s: exit code %d: %s", version, code, told)
		}
		back, told, code := claimbridge(t, there, "convert", "--to", "v1", "-o", "json")
		if code != 0 {
			t.Fatalf("from %s: exit code %d: %s", version, code, told)
		}
		sameObjects(t, version, today, back)
	}
}

func sameObjects(t *testing.T, through, want, got string) {
	t.Helper()
	wants, gots := lines(want), lines(got)
	if len(wants) != len(gots) {
		t.Fatalf("through %s: %d objects of %d", through, len(gots), len(wants))
	}
	for i := range wants {
		was, is := wants[i], gots[i]
		h, err := conversion.ReadHeader([]byte(was))
		claim := err == nil && h.Group == api.Group && strings.HasPrefix(h.Kind, api.KindClaim)
		if claim && !api.HasDevices(through) {
			was, is = undefaulted(t, was), undefaulted(t, is)
		}
		if claim && !conversion.Equal([]byte(was), []byte(is)) || !claim && was != is {
			t.Errorf("through %s: %s", through, cmp.Diff(was, is))
		}
	}
}
