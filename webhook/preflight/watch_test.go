package preflight

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-logr/logr/funcr"
	"github.com/google/go-cmp/cmp"
)

// What is in order at the next look was being put in order: it is in no log and no metric.
func TestOnlyWhatTwoRunsFindCounts(t *testing.T) {
	var log strings.Builder
	w := &Watcher{log: funcr.New(func(_, line string) { log.WriteString(line + "\n") }, funcr.Options{})}
	at := Object{Kind: "Service", Name: "a"}
	find := func(what ...string) []Result {
		r := Result{Check: Check{Name: "service-exists"}}
		for _, text := range what {
			r.Findings = append(r.Findings, Finding{Severity: Problem, Object: at, What: text})
		}
		return []Result{r}
	}
	steps := []struct {
		does        string
		found       []Result
		news        bool
		count       int
		says, notes string
	}{
		{"a first run, before the bundles are written", find("is missing"), true, 0, "", ""},
		{"they are written", find(), false, 0, "", ""},
		{"something breaks", find("is gone, 1"), true, 0, "", ""},
		{"and stays so, in other words", find("is gone, 2"), false, 1, "Preflight found a problem", `"is gone, 2"`},
		{"and stays so, in the same words", find("is gone, 2"), false, 1, "", ""},
		{"it is mended", find(), false, 0, "finding resolved", `"is gone, 2"`},
	}
	for _, step := range steps {
		log.Reset()
		news := w.confirm(step.found)
		w.report(step.found)
		if got := step.found[0].Count(Problem); news != step.news || got != step.count {
			t.Errorf("%s: news %t, %d findings count", step.does, news, got)
		}
		if step.says == "" && log.Len() > 0 || !strings.Contains(log.String(), step.says) || !strings.Contains(log.String(), step.notes) {
			t.Errorf("%s: the log says %q", step.does, &log)
		}
	}
}

// The first time that the API server cannot be asked is no error.
func TestARunThatFailsIsTriedAgainSoon(t *testing.T) {
	var lines []string
	w := &Watcher{log: funcr.New(func(_, line string) { lines = append(lines, strings.Fields(line)[0]) }, funcr.Options{})}
	if again := []bool{w.fail(errors.New("Unauthorized"), "g"), w.fail(errors.New("Unauthorized"), "g")}; again[0] != true || again[1] != false {
		t.Errorf("tried again soon: %v", again)
	}
	if diff := cmp.Diff([]string{`"level"=0`, `"msg"="Preflight`}, lines); diff != "" {
		t.Error(diff)
	}
}
