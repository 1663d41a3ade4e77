package selector

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// fixedSince Kubernetes 1.31 in CEL itself: it took these, and no CEL of today does.
var fixedSince = []string{
	`[0].exists(x, x != .x)`,  // a leading dot meant the variable of the macro, not one of outside
	`cel.bind(y, 0, .y != y)`, // so
	`'\udead' == 'a'`,         // half a surrogate pair is no character
}

func TestSelectorsCompileAsIn131(t *testing.T) {
	data := must.Get(os.ReadFile("testdata/expressions-1.31.txt"))(t)
	told := map[string]int{}
	for line := range strings.Lines(string(data)) {
		verdict, quoted, _ := strings.Cut(strings.TrimSpace(line), " ")
		if verdict == "#" {
			continue
		}
		var expression string
		if err := json.Unmarshal([]byte(strings.TrimSpace(quoted)), &expression); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if slices.Contains(fixedSince, expression) {
			verdict = "refused"
		}
		problem, _ := compile(of131(expression))
		told[verdict]++
		if got := map[bool]string{true: "ok", false: "refused"}[problem == Problem{}]; got != verdict {
			t.Errorf("%s is %s, want %s: %s", expression, got, verdict, problem.Detail)
		}
		if verdict == "refused" && (problem.Type != field.ErrorTypeInvalid || problem.Detail == "") {
			t.Errorf("%s: %q, %q", expression, problem.Type, problem.Detail)
		}
	}
	if told["ok"] < 30 || told["refused"] < 30 {
		t.Errorf("only %v expressions were compiled", told)
	}
}

func TestWhatBreaksTheCompilerIsRefused(t *testing.T) {
	for release := oldest; release <= newest; release++ {
		problem, weight := compile(question{expression: "[?dyn(1)]==[]", release: release})
		if !strings.Contains(problem.Detail, "breaks down") || weight == 0 || weight > maxWeight {
			t.Errorf("1.%d: %+v, %d", release, problem, weight)
		}
	}
}

func TestWhatTheCompilerSaysIsBounded(t *testing.T) {
	for name, expression := range map[string]string{
		"many errors in one line": strings.Repeat("é + ", 2000),
		"no end":                  strings.Repeat("(", MaxLength),
		"unknown names":           strings.Repeat("foo||", 1000) + "foo",
	} {
		problem, _ := compile(of131(expression))
		if problem.Type == "" || len(problem.Detail) > maxCompilerText+len("...") ||
			!strings.Contains(problem.Detail, "compilation failed") {
			t.Errorf("%s: %q, %d bytes", name, problem.Type, len(problem.Detail))
		}
	}
}

// FuzzSelector looks for expressions that the compiler panics on, or talks too much about.
func FuzzSelector(f *testing.F) {
	data := must.Get(os.ReadFile("testdata/expressions-1.31.txt"))(f)
	for line := range strings.Lines(string(data)) {
		var expression string
		_, quoted, _ := strings.Cut(line, " ")
		if json.Unmarshal([]byte(strings.TrimSpace(quoted)), &expression) == nil {
			f.Add(expression)
		}
	}
	f.Fuzz(func(t *testing.T, expression string) {
		problem, _ := compile(of131(expression))
		if len(problem.Detail) > maxCompilerText+len("...") || (problem.Type == "") != (problem.Detail == "") {
			t.Fatalf("%q: %q", problem.Type, problem.Detail)
		}
	})
}

func of131(expression string) question { return question{expression: expression, release: oldest} }
