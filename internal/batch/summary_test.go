package batch

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/internal/migrate"
	"github.com/claimbridge/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func last(messages string) string {
	lines := lines(messages)
	return lines[len(lines)-1]
}

func TestSummaryOfAnInterruptedRunCountsRemainingFiles(t *testing.T) {
	inDir(t, map[string]string{"a.yaml": someClaim, "b.yaml": someClaim})
	ctx, end := context.WithCancel(t.Context())
	end()
	var stderr strings.Builder
	o := Options{Options: migrate.Options{To: release.Target{Version: "v1"}, Groups: claims.Groups{api.Group}}}
	in := input.Input{Files: []string{"a.yaml", "b.yaml"}, SearchWords: []string{api.Group}}
	_, _, err := Files(ctx, in, o, FileOptions{Write: true}, nil, nil, &stderr)
	must.Do(t, err)
	want := "error: interrupted\nconverted 0 of 0 DRA objects in 0 of 0 files; 0 need manual changes; 0 files skipped; " +
		"2 of 2 files not reached\n"
	if got := stderr.String(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestSecondRunCountsTheSameObjects(t *testing.T) {
	for name, text := range map[string]string{
		"a claim": someClaim,
		"a class": "apiVersion: resource.k8s.io/v1beta1\nkind: DeviceClass\nmetadata: {name: a}\nspec: {}\n",
		"a slice": "apiVersion: resource.k8s.io/v1beta2\nkind: ResourceSlice\nmetadata: {name: a}\nspec: {}\n",
		"a pod with claims": "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  resourceClaims:\n  - name: " +
			"a\n    source:\n      resourceClaimName: b\n",
	} {
		t.Run(name, func(t *testing.T) {
			inDir(t, map[string]string{"a.yaml": text})
			for _, converted := range []string{
				"converted 1 of 1 DRA object in 1 of 1 file;",
				"converted 0 of 1 DRA object in 0 of 1 file;",
			} {
				_, messages, _ := convertFiles(t, FileOptions{Write: true}, false, "a.yaml")
				if !strings.HasPrefix(last(messages), converted) {
					t.Errorf("%q, want %q", messages, converted)
				}
			}
		})
	}
}

func TestSkippedFilesAreNamed(t *testing.T) {
	var s fileSummary
	if got := s.skippedFiles(); got != "" {
		t.Errorf("got %q without a file", got)
	}
	for i := range maxSkipped + 2 {
		s.add(&fileResult{name: fmt.Sprint(i), isSkipped: true})
	}
	warned := &fileResult{name: "warned", isSkipped: true}
	warned.result.Findings.Add(findings.Finding{Severity: findings.Warning, Harmless: true})
	s.add(warned)
	want := "skipped, without a Kubernetes object: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, and 2 more"
	if got := s.skippedFiles(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
