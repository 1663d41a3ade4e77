package findings

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// readCommand parses a command like the runner of GitHub (ActionCommand.TryParseV2): properties are between the name
// and two colons, and percent signs are decoded last.
func readCommand(line string) (name, message string, properties map[string]string, ok bool) {
	line, ok = strings.CutPrefix(line, "::")
	head, message, end := strings.Cut(line, "::")
	name, list, _ := strings.Cut(head, " ")
	properties = map[string]string{}
	unescape := func(text string, signs ...string) string {
		for _, sign := range signs {
			text = strings.ReplaceAll(text, fmt.Sprintf("%%%02X", sign), sign)
		}
		return text
	}
	for property := range strings.SplitSeq(list, ",") {
		key, value, is := strings.Cut(property, "=")
		ok = ok && is && properties[key] == ""
		properties[key] = unescape(value, "\r", "\n", ":", ",", "%")
	}
	return name, unescape(message, "\r", "\n", "%"), properties, ok && end
}

// TestGitHubShowsPendingConversions checks that a step that fails because files would change has an error for each.
func TestGitHubShowsPendingConversions(t *testing.T) {
	fixed := Finding{Rule: "r", Severity: Warning, Message: "is v1beta1", Fixed: true}
	fixed.File = "a"
	var out strings.Builder
	for severity, want := range map[Severity]string{
		"":      "::notice file=a,title=r::is v1beta1\n",
		Warning: "::warning file=a,title=r::is v1beta1; convert it to v1\n",
		Error:   "::error file=a,title=r::is v1beta1; convert it to v1\n",
	} {
		out.Reset()
		dryRun := DryRun{Severity: severity, Version: "v1"}
		reports := must.Get(OpenReports([]Spec{{Format: "github"}}, true, dryRun, &out, nil))(t)
		reports.Report(fixed)
		must.Do(t, reports.Close())
		if got := out.String(); got != want {
			t.Errorf("%q: got %q, want %q", severity, got, want)
		}
	}
}

func TestGitHubReadsFindings(t *testing.T) {
	nasty := []Finding{
		{
			Rule:     "r",
			Severity: Warning,
			Position: Position{File: "a::b,line=3%0A\r\n.yaml", Line: 1},
			Message:  "::error::%25 %0A x\r\ny",
		},
	}
	for _, f := range append(nasty, found...) {
		text := written(t, "github", []Finding{f})
		name, message, properties, ok := readCommand(strings.TrimSuffix(text, "\n"))
		if !ok || strings.IndexAny(text, "\r\n") != len(text)-1 {
			// The runner begins a new line after either character.
			t.Errorf("%q is not one command", text)
		}
		want := map[string]string{"file": f.File, "title": string(f.Rule)}
		delete(properties, "line") // the golden file covers line and col
		delete(properties, "col")
		if diff := cmp.Diff(want, properties); diff != "" {
			t.Errorf("%q (-want +got)\n%s", text, diff)
		}
		if name == "" || !strings.HasSuffix(message, f.Message) {
			t.Errorf("%q is read as %s with %q", text, name, message)
		}
	}
}
