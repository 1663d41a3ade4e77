package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// What SARIF says is to be replaced gives the files that --write does, of all that people published. What has a
// status, or shares a line with others, has none.
func TestFixesInReportsAreWhatIsWritten(t *testing.T) {
	folder := t.TempDir()
	must.Do(t, os.CopyFS(filepath.Join(folder, "corpus"), os.DirFS(corpus)))
	claim := `{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"devices":{"requests":[{"name":"a","deviceClassName":"b"}]}}}`
	for name, text := range map[string]string{
		"one-line.json":  claim + " " + claim,
		"no-end.yaml":    "---\n" + claim + "\n---\napiVersion: resource.k8s.io/v1beta1\r\nkind: ResourceClaim\r\nmetadata: {name: b}",
		"two-lines.json": "\n" + claim + "\n" + claim + "\n",
		"status.yaml":    claim[:len(claim)-1] + `,"status":{}}`,
	} {
		must.Do(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	_, told, code := claimbridge(t, "", "convert", "--to", "v1", "--accept-leftovers", "--check", "--report=sarif="+filepath.Join(folder, "found"), folder)
	if code != exitFailed { // some of what was published is wrong, and is left as it is
		t.Fatalf("%d: %s", code, told)
	}
	fixed := applied(t, []byte(read(t, filepath.Join(folder, "found"))))
	_, _, _ = claimbridge(t, "", "convert", "--to", "v1", "--accept-leftovers", "--write", "--report=sarif="+filepath.Join(folder, "found"), folder)
	if report, err := os.ReadFile(filepath.Join(folder, "found")); err != nil || strings.Contains(string(report), `"fixes"`) {
		t.Errorf("there is something to fix where it was written: %v\n%.2000s", err, report)
	}
	for _, name := range []string{"status.yaml", "one-line.json"} {
		if fixed[filepath.Join(folder, name)] != "" {
			t.Errorf("%s has fixes", name)
		}
	}
	if fixed[filepath.Join(folder, "two-lines.json")] == "" || fixed[filepath.Join(folder, "no-end.yaml")] == "" {
		t.Errorf("there are no fixes of lines that are documents, or of the last line")
	}
	if len(fixed) < 10 {
		t.Errorf("%d files have fixes", len(fixed))
	}
	for file, want := range fixed {
		if diff := cmp.Diff(read(t, file), want); diff != "" {
			t.Errorf("%s: %s", file, diff)
		}
	}
}

// applied are the files that a report of SARIF has fixes for, with these applied.
func applied(t *testing.T, report []byte) map[string]string {
	t.Helper()
	type region struct{ StartLine, EndLine int }
	type replacement struct {
		DeletedRegion   region
		InsertedContent struct{ Text string }
	}
	var log struct {
		Runs []struct {
			Results []struct {
				Fixes []struct {
					ArtifactChanges []struct {
						ArtifactLocation struct{ URI string }
						Replacements     []replacement
					}
				}
			}
		}
	}
	must.Do(t, json.Unmarshal(report, &log))
	all := map[string][]replacement{}
	for _, r := range log.Runs[0].Results {
		for _, f := range r.Fixes {
			for _, c := range f.ArtifactChanges {
				file := strings.TrimPrefix(c.ArtifactLocation.URI, "file://")
				all[file] = append(all[file], c.Replacements...)
			}
		}
	}
	texts := map[string]string{}
	for file, replacements := range all {
		lines := strings.SplitAfter(read(t, file), "\n")
		slices.SortFunc(replacements, func(a, b replacement) int { return b.DeletedRegion.StartLine - a.DeletedRegion.StartLine })
		for _, r := range replacements {
			last := lines[r.DeletedRegion.EndLine-1]
			end := last[len(strings.TrimRight(last, "\r\n")):]
			lines = slices.Replace(lines, r.DeletedRegion.StartLine-1, r.DeletedRegion.EndLine, r.InsertedContent.Text+end)
		}
		texts[file] = strings.Join(lines, "")
	}
	return texts
}

// Files are edited at the same time, and reports have what was found in their order, once.
func TestReportsOfFilesAreInTheirOrder(t *testing.T) {
	folder := t.TempDir()
	var want []string
	for i := range 300 {
		name := filepath.Join(folder, fmt.Sprintf("%03d.yaml", i))
		text := fmt.Sprintf("apiVersion: resource.k8s.io/v1beta1\nkind: ResourceClaim\nmetadata: {name: a}\nspec: {devices: {requests: [{name: a, deviceClassName: b}]}}\n%s", strings.Repeat("# more\n", i%7*1000))
		must.Do(t, os.WriteFile(name, []byte(text), 0o600))
		want = append(want, name+" claim-version")
	}
	_, told, code := claimbridge(t, "", "convert", "--to", "v1", "--check", "--report=json="+filepath.Join(folder, "found"), folder)
	if code != exitChange {
		t.Fatalf("%d: %s", code, told)
	}
	var got []string
	for line := range strings.Lines(read(t, filepath.Join(folder, "found"))) {
		var f struct{ File, Rule string }
		must.Do(t, json.Unmarshal([]byte(line), &f))
		got = append(got, f.File+" "+f.Rule)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
