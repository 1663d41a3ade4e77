package validation

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// fixedSince Kubernetes 1.31 in CEL itself: it took these, and no CEL of today does.
var fixedSince = []string{
	`[0].exists(x, x != .x)`,  // a leading dot meant the variable of the macro, not one of outside
	`cel.bind(y, 0, .y != y)`, // so
	`'\udead' == 'a'`,         // half a surrogate pair is no character
}

func TestSelectorsCompileAsIn131(t *testing.T) {
	data, err := os.ReadFile("testdata/selectors-1.31.txt")
	if err != nil {
		t.Fatal(err)
	}
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
		problem := compileSelector(expression)
		told[verdict]++
		if got := map[bool]string{true: "ok", false: "refused"}[problem == expressionProblem{}]; got != verdict {
			t.Errorf("%s is %s, want %s: %s", expression, got, verdict, problem.detail)
		}
		if verdict == "refused" && (problem.kind != field.ErrorTypeInvalid || problem.detail == "") {
			t.Errorf("%s: %q, %q", expression, problem.kind, problem.detail)
		}
	}
	if told["ok"] < 30 || told["refused"] < 30 {
		t.Errorf("only %v expressions were compiled", told)
	}
}

func TestWhatTheCompilerSaysIsBounded(t *testing.T) {
	for name, expression := range map[string]string{
		"many errors in one line": strings.Repeat("é + ", 20000),
		"no end":                  strings.Repeat("(", 100_001),
		"unknown names":           strings.Repeat("foo || ", 10000) + "foo",
	} {
		problem := compileSelector(expression)
		if problem.kind == "" || len(problem.detail) > maxCompilerText+len("...") || !strings.Contains(problem.detail, "compilation failed") {
			t.Errorf("%s: %q, %d bytes", name, problem.kind, len(problem.detail))
		}
	}
}

func TestARepeatedExpressionIsCompiledOnce(t *testing.T) {
	var compiled atomic.Int32
	begin := make(chan struct{})
	e := newExpressions(func(expression string) expressionProblem {
		compiled.Add(1)
		<-begin
		return expressionProblem{detail: expression}
	})
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if got := e.check("a").detail; got != "a" {
				t.Errorf("the answer is about %q", got)
			}
		})
	}
	close(begin)
	all.Wait()
	if n := compiled.Load(); n != 1 {
		t.Errorf("compiled %d times", n)
	}
}

func TestRememberedExpressionsAreBounded(t *testing.T) {
	compiled := map[string]int{}
	e := newExpressions(func(expression string) expressionProblem {
		compiled[expression]++
		return expressionProblem{}
	})
	long, limit := strings.Repeat("a", maxRememberedLength+1), strings.Repeat("a", maxRememberedLength)
	for range 2 {
		e.check(long)
		e.check(limit)
	}
	if compiled[long] != 2 || compiled[limit] != 1 {
		t.Errorf("compiled %d times beyond the length, %d times at it", compiled[long], compiled[limit])
	}
	for i := range maxRemembered {
		e.check(fmt.Sprint(i))
	}
	e.check(limit)
	if n := e.known.Len(); n != maxRemembered || compiled[limit] != 2 {
		t.Errorf("%d are remembered, and the oldest was compiled %d times", n, compiled[limit])
	}
}

func TestNoMoreExpressionsAreCompiledThanAClaimCanHave(t *testing.T) {
	request := `{"name":"gpu","deviceClassName":"gpu","selectors":[` + strings.TrimSuffix(strings.Repeat(`{"cel":{"expression":"1"}},`, 3000), ",") + `]}`
	verdict, err := Judge(Request{Operation: Create, Object: []byte(
		`{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{"name":"gpu"},"spec":{"devices":{"requests":[` + request + `]}}}`)})
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, e := range verdict.Errors {
		count[e.Rule]++
	}
	if count["selector-expression-compiles"] != maxCompiled || count["selectors-at-most-32"] != 1 {
		t.Errorf("errors are %v", count)
	}
}

func TestACompilerThatPanicsRefuses(t *testing.T) {
	e := newExpressions(func(string) expressionProblem { panic("no") })
	for _, expression := range []string{"a", "a", strings.Repeat("a", maxRememberedLength+1)} {
		if problem := e.check(expression); problem.kind != field.ErrorTypeInternal || problem.detail == "" {
			t.Errorf("%q, %q", problem.kind, problem.detail)
		}
	}
}

// FuzzSelector looks for expressions that the compiler panics on, or talks too much about.
func FuzzSelector(f *testing.F) {
	data, err := os.ReadFile("testdata/selectors-1.31.txt")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var expression string
		if _, quoted, _ := strings.Cut(line, " "); json.Unmarshal([]byte(strings.TrimSpace(quoted)), &expression) == nil {
			f.Add(expression)
		}
	}
	f.Fuzz(func(t *testing.T, expression string) {
		problem := compileSelector(expression)
		if len(problem.detail) > maxCompilerText+len("...") || (problem.kind == "") != (problem.detail == "") {
			t.Fatalf("%q: %q", problem.kind, problem.detail)
		}
	})
}

func BenchmarkSelector(b *testing.B) {
	const expression = `device.driver == "gpu.example.com" && device.attributes["gpu.example.com"].memory.compareTo(semver("1.2.3")) > 0`
	b.Run("cold", func(b *testing.B) {
		compileSelector(expression) // builds the environments
		b.ReportAllocs()
		for b.Loop() {
			if problem := compileSelector(expression); problem.kind != "" {
				b.Fatal(problem.detail)
			}
		}
	})
	b.Run("cached", func(b *testing.B) {
		e := newExpressions(compileSelector)
		b.ReportAllocs()
		for b.Loop() {
			if problem := e.check(expression); problem.kind != "" {
				b.Fatal(problem.detail)
			}
		}
	})
}
