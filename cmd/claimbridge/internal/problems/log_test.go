package problems

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/report"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

var (
	place = yamldoc.Position{File: "f.yaml", Document: 2, Line: 7}
	claim = conversion.Header{Group: "resource.k8s.io", Version: "v1", Kind: "ResourceClaim", Namespace: "n", Name: "a"}
)

// jsonReports are reports whose findings a test reads.
type jsonReports struct {
	*report.Set
	text bytes.Buffer
}

func openReports(t *testing.T) *jsonReports {
	t.Helper()
	r := &jsonReports{}
	r.Set = must.Get(report.Open([]report.Spec{{Format: "json"}}, true, &r.text, io.Discard))(t)
	return r
}

// findings closes the reports and returns what they hold.
func (r *jsonReports) findings(t *testing.T) (all []finding.Finding) {
	t.Helper()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	for decoder := json.NewDecoder(&r.text); decoder.More(); {
		var f finding.Finding
		if err := decoder.Decode(&f); err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	return all
}

// advised is what stands on stderr after warnings of a rule, some from each of several parts.
func advised(t *testing.T, l *Log, parts, each int) string {
	t.Helper()
	var out bytes.Buffer
	l.W = &out
	for i := range parts {
		p := Log{IsPart: true, All: l.All, Full: l.Full, Reports: l.Reports}
		for j := range each {
			p.Advise(place, claim, What{Rule: finding.OtherGroup, Text: fmt.Sprintf("warning %d", i*each+j)})
			p.Line(fmt.Sprintf("beside %d", i*each+j))
		}
		l.Take(&p)
	}
	l.More("; ask")
	return out.String()
}

func TestTenWarningsOfARuleArePrinted(t *testing.T) {
	var reported bytes.Buffer
	onStderr := must.Get(report.Open([]report.Spec{{Format: "json"}}, false, nil, &reported))(t)
	for name, test := range map[string]struct {
		log            Log
		parts, each    int
		printed, added int
	}{
		"as many":                 {Log{}, 1, 10, 10, 0},
		"more, in one part":       {Log{}, 1, 13, 10, 3},
		"more, in several":        {Log{}, 4, 4, 10, 6},
		"more, where all know it": {Log{Full: &Full{}}, 20, 3, 10, 50},
		"all of them":             {Log{All: true}, 4, 4, 16, 0},
		"in a report":             {Log{Reports: onStderr}, 4, 4, 0, 0},
	} {
		got := advised(t, &test.log, test.parts, test.each)
		all := test.parts * test.each
		if n := strings.Count(got, ": warning: warning "); n != test.printed || test.log.Warnings != all {
			t.Errorf("%s: %d of %d are printed, and %d counted:\n%s", name, n, all, test.log.Warnings, got)
		}
		for i := range test.printed {
			if !strings.Contains(got,
				fmt.Sprintf("f.yaml: document 2 (line 7): ResourceClaim n/a: warning: warning %d "+
					"(claim-of-another-group)\n",
					i)) {
				t.Errorf("%s: warning %d is not printed:\n%s", name, i, got)
			}
		}
		if n := strings.Count(got, "beside "); n != all {
			t.Errorf("%s: of other lines there are %d:\n%s", name, n, got)
		}
		more := fmt.Sprintf("warning: objects of other groups are not converted: %d more; ask\n", test.added)
		if strings.Contains(got, more) != (test.added > 0) {
			t.Errorf("%s: not how many more:\n%s", name, got)
		}
		must.Do(t, test.log.Reports.Close())
		if n := bytes.Count(reported.Bytes(), []byte("\n")); test.log.Reports.Any() && n != all {
			t.Errorf("%s: %d are reported", name, n)
		}
	}
}

// A file with more findings than anybody reads holds no memory for the rest, which are counted; warnings hide no error.
func TestFindingsOfAFileAreBounded(t *testing.T) {
	p := Log{IsPart: true, All: true}
	for range maxSaid + 10 {
		p.Advise(place, claim, What{Rule: finding.OtherGroup, Text: "is passed over"})
		p.Left(place, finding.UnreadableFile, "is wrong")
		p.Line("beside") // which no report has
	}
	if len(p.Said) != 3*maxSaid+3 || p.Failed != maxSaid+10 || p.Warnings != maxSaid+10 {
		t.Errorf("%d are kept, and %d and %d counted", len(p.Said), p.Failed, p.Warnings)
	}
	var out bytes.Buffer
	reports := openReports(t)
	l := Log{W: &out, Reports: reports.Set}
	l.Take(&p)
	l.More("")
	reported := len(reports.findings(t))
	got := out.String()
	if l.Failed != maxSaid+10 || reported != 2*maxSaid+2 ||
		strings.Count(got, "\nf.yaml: here findings of a kind end that are listed") != 2 ||
		!strings.Contains(got, fmt.Sprintf("%d more\n", maxSaid+10-MaxWarnings)) {
		t.Errorf("%d failed, %d are reported, and the end is %s", l.Failed, reported, got[len(got)-300:])
	}
}

func TestErrorsSayWhereAndWhatToDo(t *testing.T) {
	document := func(err error) error { return &yamldoc.DocumentError{Position: place, Err: err} }
	for name, test := range map[string]struct {
		err                      error
		rule                     finding.Rule
		want                     string
		failed, warnings, common int
	}{
		"no type": {
			document(ErrNoType),
			finding.ObjectWithoutType,
			"f.yaml: document 2 (line 7): is not an object of Kubernetes: apiVersion and kind must be set; leave out " +
				"a file that is meant for something else with --exclude (object-without-type)\n",
			1,
			0,
			0,
		},
		"no YAML": {
			document(errors.New("is bad")),
			finding.UnreadableDocument,
			"f.yaml: document 2 (line 7): is bad (unreadable-document)\n",
			1,
			0,
			0,
		},
		"no file": {
			&input.FileError{Path: "f", Err: errors.New("is gone")},
			finding.UnreadableFile,
			"f: is gone (unreadable-file)\n",
			1,
			0,
			0,
		},
		"skipped, as many are": {
			input.Skipped(&input.FileError{Path: "f", Err: errors.New("is another's")}),
			finding.SkippedFile,
			"f: warning: is another's (skipped-file)\n",
			0,
			1,
			1,
		},
		"something of its own": {errors.New("is odd"), finding.UnreadableFile, "is odd (unreadable-file)\n", 1, 0, 0},
		"control characters": {
			document(errors.New("\x1b[2J\nnext")),
			finding.UnreadableDocument,
			`f.yaml: document 2 (line 7): \x1b[2J\nnext (unreadable-document)` + "\n",
			1,
			0,
			0,
		},
	} {
		var out bytes.Buffer
		reports := openReports(t)
		l := Log{W: &out, Reports: reports.Set}
		l.Error(test.err)
		found := reports.findings(t)
		if diff := cmp.Diff(test.want, out.String()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if l.Failed != test.failed || l.Warnings != test.warnings || l.Common != test.common || len(found) != 1 ||
			found[0].Rule != test.rule.About().Name {
			t.Errorf("%s: %d failed, %d warnings, %d of them common: %v", name, l.Failed, l.Warnings, l.Common, found)
		}
	}
}
