package findings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

var (
	position = yamldoc.Position{File: "f.yaml", Document: 2, Line: 7}
	claim    = Subject{Position: position, Header: conversion.Header{
		Group: "resource.k8s.io", Version: "v1", Kind: "ResourceClaim", Namespace: "n", Name: "a",
	}}
)

// jsonReports are reports whose findings a test reads.
type jsonReports struct {
	*Reports
	text bytes.Buffer
}

func openReports(t *testing.T) *jsonReports {
	t.Helper()
	r := &jsonReports{}
	r.Reports = must.Get(OpenReports([]Spec{{Format: "json"}}, true, DryRun{}, &r.text, io.Discard))(t)
	return r
}

// findings closes the reports and returns what they contain.
func (r *jsonReports) findings(t *testing.T) (all []Finding) {
	t.Helper()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	for decoder := json.NewDecoder(&r.text); decoder.More(); {
		var f Finding
		if err := decoder.Decode(&f); err != nil {
			t.Fatal(err)
		}
		if f.Rule != "" { // the last line has the totals
			all = append(all, f)
		}
	}
	return all
}

// printed returns the output for warnings of a rule, from several parts of an input with a number of warnings each.
func printed(p *Printer, parts, each int) string {
	var out bytes.Buffer
	p.W = &out
	for i := range parts {
		var l List
		for j := range each {
			l.Add(claim.New(Warning, ClaimOfAnotherGroup, "", fmt.Sprintf("warning %d", i*each+j)))
			l.Add(NewNote(fmt.Sprintf("beside %d", i*each+j)))
		}
		p.ReportAll(l)
	}
	p.Summarize("; ask")
	return out.String()
}

func TestTenWarningsOfARuleArePrinted(t *testing.T) {
	var reported bytes.Buffer
	onStderr := must.Get(OpenReports([]Spec{{Format: "json"}}, false, DryRun{}, nil, &reported))(t)
	for name, test := range map[string]struct {
		printer       Printer
		parts, each   int
		printed, more int
	}{
		"as many":           {Printer{}, 1, 10, 10, 0},
		"more, in one part": {Printer{}, 1, 13, 10, 3},
		"more, in several":  {Printer{}, 4, 4, 10, 6},
		"all of them":       {Printer{All: true}, 4, 4, 16, 0},
		"in a report":       {Printer{Reports: onStderr}, 4, 4, 0, 0},
	} {
		got := printed(&test.printer, test.parts, test.each)
		all := test.parts * test.each
		if n := strings.Count(got, ": warning: warning "); n != test.printed || test.printer.Warnings != all {
			t.Errorf("%s: %d of %d are printed, and %d counted:\n%s", name, n, all, test.printer.Warnings, got)
		}
		for i := range test.printed {
			line := fmt.Sprintf("f.yaml: document 2 (line 7): ResourceClaim n/a: warning: warning %d "+
				"(claim-of-another-group)\n", i)
			if !strings.Contains(got, line) {
				t.Errorf("%s: warning %d is not printed:\n%s", name, i, got)
			}
		}
		if n := strings.Count(got, "beside "); n != all {
			t.Errorf("%s: %d notes are printed:\n%s", name, n, got)
		}
		more := fmt.Sprintf("warning: objects of other groups are not converted: %d more; ask\n", test.more)
		if strings.Contains(got, more) != (test.more > 0) {
			t.Errorf("%s: the number of further warnings is wrong:\n%s", name, got)
		}
		must.Do(t, test.printer.Reports.Close())
		n := bytes.Count(reported.Bytes(), []byte(`"rule":`))
		if test.printer.Reports.Any() && n != all {
			t.Errorf("%s: %d are reported", name, n)
		}
	}
}

// TestFindingsOfAFileAreBounded checks that findings above the limit are only counted, and that warnings do not
// displace errors.
func TestFindingsOfAFileAreBounded(t *testing.T) {
	var l List
	for range maxKept + 10 {
		l.Add(claim.New(Warning, ClaimOfAnotherGroup, "", "is passed over"))
		l.Add(FromText(position, UnreadableFile, "is wrong"))
		l.Add(NewNote("beside")) // which no report has
	}
	if len(l.kept) != 3*maxKept+3 || l.Failed() != maxKept+10 || l.Warnings() != maxKept+10 {
		t.Errorf("%d are kept, and %d and %d counted", len(l.kept), l.Failed(), l.Warnings())
	}
	var out bytes.Buffer
	reports := openReports(t)
	p := Printer{W: &out, Reports: reports.Reports}
	p.ReportAll(l)
	p.Summarize("")
	reported := len(reports.findings(t))
	got := out.String()
	if p.Failed != maxKept+10 || reported != 2*maxKept+2 ||
		strings.Count(got, "more than 25,000 findings of this kind") != 3 ||
		!strings.Contains(got, fmt.Sprintf("%d more\n", maxKept+10-MaxWarnings)) {
		t.Errorf("%d failed, %d are reported, and the end is %s", p.Failed, reported, got[len(got)-300:])
	}
}

func TestErrorsSayWhereAndWhatToDo(t *testing.T) {
	document := func(err error) error { return &yamldoc.DocumentError{Position: position, Err: err} }
	for name, test := range map[string]struct {
		err                        error
		rule                       Rule
		want                       string
		failed, warnings, harmless int
	}{
		"no type": {
			document(ErrNoType),
			ObjectWithoutType,
			"f.yaml: document 2 (line 7): is not a Kubernetes object: apiVersion and kind must be set; if " +
				"this is not a manifest, skip it with --exclude (object-without-type)\n",
			1,
			0,
			0,
		},
		"no YAML": {
			document(errors.New("is bad")),
			UnreadableDocument,
			"f.yaml: document 2 (line 7): is bad (unreadable-document)\n",
			1,
			0,
			0,
		},
		"no file": {
			&input.FileError{Path: "f", Err: errors.New("is gone")},
			UnreadableFile,
			"f: is gone (unreadable-file)\n",
			1,
			0,
			0,
		},
		"harmless": {
			input.NewHarmlessSkip(&input.FileError{Path: "f", Err: errors.New("is a file of another program")}),
			SkippedFile,
			"f: warning: is a file of another program (skipped-file)\n",
			0,
			1,
			1,
		},
		"other error": {errors.New("is unexpected"), UnreadableFile, "is unexpected (unreadable-file)\n", 1, 0, 0},
		"control characters": {
			document(errors.New("\x1b[2J\nnext")),
			UnreadableDocument,
			`f.yaml: document 2 (line 7): \x1b[2J\nnext (unreadable-document)` + "\n",
			1,
			0,
			0,
		},
	} {
		var out bytes.Buffer
		reports := openReports(t)
		l := Printer{W: &out, Reports: reports.Reports}
		l.Report(FromError(nil, test.err))
		found := reports.findings(t)
		if diff := cmp.Diff(test.want, out.String()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if l.Failed != test.failed || l.Warnings != test.warnings || l.Harmless != test.harmless || len(found) != 1 ||
			found[0].Rule != test.rule {
			t.Errorf("%s: %d failed, %d warnings, %d of them harmless: %v", name, l.Failed, l.Warnings, l.Harmless, found)
		}
	}
}
