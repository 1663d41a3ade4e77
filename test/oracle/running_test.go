//go:build oracle

package oracle

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/programs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// running judge: the code of one release of Kubernetes, answering one question after the other.
type running struct {
	questions io.Writer
	answers   *json.Decoder
}

// start the judge, with feature gates as an API server takes them: A=true. Without any they are at
// the release's default.
func (j Judge) start(t *testing.T, gates ...string) *upstream {
	t.Helper()
	judge := exec.Command(j.build(t), "-feature-gates="+strings.Join(gates, ",")) // it ends with its stdin
	judge.Stderr = os.Stderr
	questions := must.Get(judge.StdinPipe())(t)
	answers := must.Get(judge.StdoutPipe())(t)
	must.Do(t, judge.Start())
	t.Cleanup(func() {
		_ = questions.Close()
		if err := judge.Wait(); err != nil && !t.Failed() {
			t.Errorf("the judge of Kubernetes %s: %v", j.Name, err)
		}
	})
	return &upstream{Judge: j, source: running{questions, json.NewDecoder(answers)}}
}

func (r running) answer(t *testing.T, question []byte) (a answer, known bool) {
	t.Helper()
	if _, err := r.questions.Write(append(question, '\n')); err != nil {
		t.Fatalf("asking a judge: %v", err)
	}
	if err := r.answers.Decode(&a); err != nil {
		t.Fatalf("a judge does not answer: %v\nto %s", err, clip(question))
	}
	return a, true
}

// chosen judges are built and asked in this run: those of the releases in CLAIMBRIDGE_RELEASES.
func chosen(t *testing.T) []Judge {
	t.Helper()
	judges, err := Chosen(os.Getenv("CLAIMBRIDGE_RELEASES"))
	if err != nil {
		t.Fatalf("CLAIMBRIDGE_RELEASES: %v", err)
	}
	return judges
}

// TestAJudgesBuild builds what is not in the cache yet, before the tests that ask: one build takes minutes.
func TestAJudgesBuild(t *testing.T) {
	for _, j := range chosen(t) {
		j.build(t)
	}
}

// build the judge of a release, or find it in the user's cache.
func (j Judge) build(t *testing.T) string {
	t.Helper()
	const folder = "../upstream"
	sources, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(sources) == 0 {
		t.Fatalf("no sources of the judges: %v", err)
	}
	sources = slices.DeleteFunc(sources, func(f string) bool { return strings.HasSuffix(f, "_test.go") })
	for i, file := range sources {
		sources[i] = filepath.Base(file)
	}
	program := programs.Program{
		Name:    "judge",
		Dir:     folder,
		Args:    []string{"-modfile=" + j.Modfile, "-tags=" + j.Tags, "-ldflags", "-s -w", "."},
		Sources: append(sources, j.Modfile, strings.TrimSuffix(j.Modfile, ".mod")+".sum"),
	}
	built := must.Get(programs.Set{
		Name:     "judges/" + j.Name,
		Patience: "building the judge of Kubernetes " + j.Name + ", some minutes the first time, and downloads",
		Programs: []programs.Program{program},
	}.Folder(t.Context()))(t)
	return filepath.Join(built, program.Name)
}
