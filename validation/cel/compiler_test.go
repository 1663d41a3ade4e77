package cel

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// fixedSince has expressions that CEL accepted at the time of Kubernetes 1.31, and rejects now.
var fixedSince = []string{
	`[0].exists(x, x != .x)`,  // a leading dot meant the variable of the macro, not one of outside
	`cel.bind(y, 0, .y != y)`, // the same
	`'\udead' == 'a'`,         // half a surrogate pair is no character
}

func TestSelectorsCompileAsIn131(t *testing.T) {
	data := must.Get(os.ReadFile("testdata/expressions-1.31.txt"))(t)
	results := map[string]int{}
	for line := range strings.Lines(string(data)) {
		want, quoted, _ := strings.Cut(strings.TrimSpace(line), " ")
		if want == "#" {
			continue
		}
		var expression string
		if err := json.Unmarshal([]byte(strings.TrimSpace(quoted)), &expression); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if slices.Contains(fixedSince, expression) {
			want = "refused"
		}
		result, _ := compile(of131(expression))
		results[want]++
		if got := map[bool]string{true: "ok", false: "refused"}[result == Result{}]; got != want {
			t.Errorf("%s is %s, want %s: %s", expression, got, want, result.Detail)
		}
		if want == "refused" && (result.Type != field.ErrorTypeInvalid || result.Detail == "") {
			t.Errorf("%s: %q, %q", expression, result.Type, result.Detail)
		}
	}
	if results["ok"] < 30 || results["refused"] < 30 {
		t.Errorf("only %v expressions were compiled", results)
	}
}

func TestPanicsOfTheCompilerAreProblems(t *testing.T) {
	for release := oldest; release <= newest; release++ {
		result, weight := compile(source{expression: "[?dyn(1)]==[]", release: release})
		if !strings.Contains(result.Detail, "panics") || weight == 0 || weight > maxWeight {
			t.Errorf("1.%d: %+v, %d", release, result, weight)
		}
	}
}

func TestCompilerTextIsLimited(t *testing.T) {
	for name, expression := range map[string]string{
		"many errors in one line": strings.Repeat("é + ", 2000),
		"no end":                  strings.Repeat("(", MaxLength),
		"unknown names":           strings.Repeat("foo||", 1000) + "foo",
	} {
		result, _ := compile(of131(expression))
		if result.Type == "" || len(result.Detail) > maxCompilerText+len("...") ||
			!strings.Contains(result.Detail, "compilation failed") {
			t.Errorf("%s: %q, %d bytes", name, result.Type, len(result.Detail))
		}
	}
}

// FuzzSelector looks for expressions that make the compiler panic, or return more text than the limit.
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
		result, _ := compile(of131(expression))
		if len(result.Detail) > maxCompilerText+len("...") || (result.Type == "") != (result.Detail == "") {
			t.Fatalf("%q: %q", result.Type, result.Detail)
		}
	})
}

func of131(expression string) source { return source{expression: expression, release: oldest} }
