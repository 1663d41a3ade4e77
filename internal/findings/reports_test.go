package findings

import (
	"bytes"
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

// found has findings of each kind: errors about an object, a warning about an item of a list, a fixed finding, and an
// error about a file. Names and messages have special characters.
var found = []Finding{
	{
		Rule:     "unknown-field",
		Severity: Error,
		Position: Position{File: "a b/claims,1:2%.yaml", Document: 2, Line: 7, Column: 3},
		Object: Object{
			APIVersion: "resource.k8s.io/v1", Kind: "ResourceClaim", Namespace: "default", Name: "a",
		},
		Field:   "spec.devics",
		Message: "unknown field, did you mean devices?\nCorrect it | <b>",
	},
	{
		Rule:     "spec-is-immutable",
		Severity: Error,
		Position: Position{File: "a b/claims,1:2%.yaml", Document: 2, Line: 7, Column: 3},
		Object: Object{
			APIVersion: "resource.k8s.io/v1", Kind: "ResourceClaim", Namespace: "default", Name: "a",
		},
		Field: "spec", Message: "Invalid value: field is immutable",
	},
	{
		Rule:     "claim-of-another-group",
		Severity: Warning,
		Position: Position{File: "list.json", Document: 1, Item: "items[3]"},
		Object:   Object{Kind: "ResourceClaim"},
		Message:  "50% of \"it\" passes: *<script>*",
	},
	{
		Rule:     "pod-claim-source",
		Severity: Warning,
		Position: Position{File: "list.json", Document: 2, Line: 9},
		Object:   Object{APIVersion: "v1", Kind: "Pod", Name: "p"},
		Field:    "spec.resourceClaims[0].source",
		Message:  "moved",
		Fixed:    true,
	},
	{
		Rule: "unreadable-file", Severity: Error, Position: Position{File: "/gone"},
		Message: "no such file",
	},
}

// written returns a report in a format.
func written(t *testing.T, format string, all []Finding) string {
	t.Helper()
	var out bytes.Buffer
	set := must.Get(OpenReports([]Spec{{Format: format}}, true, DryRun{}, &out, nil))(t)
	for _, f := range all {
		set.Report(f)
	}
	must.Do(t, set.Close())
	return out.String()
}

// go test ./internal/findings -run TestGolden -update writes them.
func TestGoldenReports(t *testing.T) {
	for _, format := range Formats()[1:] {
		got := written(t, format, found)
		file := filepath.Join("testdata", format+".golden")
		if *update {
			must.Do(t, os.WriteFile(file, []byte(got), 0o600))
		}
		want := must.Get(os.ReadFile(file))(t)
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", format, diff)
		}
	}
}

// TestSARIFIsComplete checks that a report has results, and describes each of their rules once. Otherwise code scanning
// rejects it. The golden file covers everything else.
func TestSARIFIsComplete(t *testing.T) {
	for name, all := range map[string][]Finding{
		"nothing":          nil,
		"all sorts, twice": slices.Concat(found, found),
	} {
		var log struct {
			Runs [1]struct {
				Tool struct {
					Driver struct{ Rules []struct{ ID string } }
				}
				Results *[]struct{ RuleID string }
			}
		}
		must.Do(t, json.Unmarshal([]byte(written(t, "sarif", all)), &log))
		results := log.Runs[0].Results
		if results == nil || len(*results) != len(all) {
			t.Fatalf("%s: %+v", name, log)
		}
		rules := map[string]int{}
		for _, r := range log.Runs[0].Tool.Driver.Rules {
			rules[r.ID]++
		}
		for _, r := range *results {
			if rules[r.RuleID] != 1 {
				t.Errorf("%s: %s is there %d times", name, r.RuleID, rules[r.RuleID])
			}
		}
	}
}

func TestFindingsAboveTheLimitAreCounted(t *testing.T) {
	var many []Finding
	for i := range maxAnnotations + 7 {
		many = append(many, Finding{
			Rule:     "unreadable-document",
			Severity: Warning,
			Position: Position{File: "f", Document: i + 1, Line: i + 1},
			Message:  "m",
		})
	}
	commands := written(t, "github", many)
	n := strings.Count(commands, "::warning ")
	if n != maxAnnotations || !strings.HasSuffix(commands,
		fmt.Sprintf("\n%d more warnings\n", len(many)-maxAnnotations)) {
		t.Errorf("%d commands, and at the end %s", n, commands[len(commands)-40:])
	}
	if rows := strings.Count(written(t, "json", many), `"rule":`); rows != len(many) {
		t.Errorf("%d lines of JSON", rows)
	}
}

func TestReportsHaveDifferentDestinations(t *testing.T) {
	for name, test := range map[string]struct {
		texts      []string
		stdoutFree bool
		want       string // part of the error, empty when there is none
	}{
		"one":                      {[]string{"json"}, false, ""},
		"each in its file":         {[]string{"json=a", "sarif=b"}, false, ""},
		"text and a file":          {[]string{"text", "sarif=b"}, false, ""},
		"text and standard output": {[]string{"text", "json"}, true, ""},
		"two on standard error": {
			[]string{"text", "json"},
			false,
			"text and json would both be written to standard error",
		},
		"two on standard output": {
			[]string{"sarif", "json"},
			true,
			"sarif and json would both be written to standard output",
		},
		"two in a file": {[]string{"json=a", "sarif=./a"}, false, "would both be written to "},
		"standard output that is not free": {
			[]string{"json=-"},
			false,
			"standard output has the output of the command",
		},
		"standard output that is free":      {[]string{"json=-"}, true, ""},
		"standard output by name and by no": {[]string{"json=-", "sarif"}, true, "standard output"},
		"a format that is none": {
			[]string{"xml"},
			false,
			`unknown format "xml", must be one of text, json, sarif, github`,
		},
		"no file": {[]string{"json="}, false, "json= names no file"},
	} {
		var specs []Spec
		var err error
		for _, text := range test.texts {
			var spec Spec
			if spec, err = ParseSpec(text); err != nil {
				break
			}
			specs = append(specs, spec)
		}
		if err == nil {
			err = CheckSpecs(specs, test.stdoutFree)
		}
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFilesOfReports(t *testing.T) {
	file := filepath.Join(t.TempDir(), "report")
	must.Do(t, os.WriteFile(file, []byte("before\n"), 0o600))
	var stderr bytes.Buffer
	set := must.Get(OpenReports([]Spec{{textFormat, file}, {Format: "json"}}, false, DryRun{}, nil, &stderr))(t)
	if !set.Any() || !set.ReplacesText() {
		t.Error("JSON does not take the place of what is printed")
	}
	// A file name is not trusted: it must not begin a line of a report, or contain control characters.
	set.Report(Finding{Rule: "r", Position: Position{File: "d/b\n::error::pwn\x1b]0;x\a.yaml"}, Message: "m", Fixed: true})
	must.Do(t, set.Close())
	if text := must.Get(os.ReadFile(file))(t); string(text) != `d/b\n::error::pwn\x1b]0;x\a.yaml: fixed: m (r)`+"\n" {
		t.Errorf("%q", text)
	}
	if n := strings.Count(stderr.String(), "\n"); n != 2 { // a finding and the totals
		t.Errorf("%d lines of JSON on standard error", n)
	}
	_, err := OpenReports([]Spec{{"json", t.TempDir()}}, false, DryRun{}, nil, nil)
	if err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("a directory as file: %v", err)
	}
}
