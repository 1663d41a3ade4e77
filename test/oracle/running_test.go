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

// running validator: the code of one release of Kubernetes, answering one question after the other.
type running struct {
	questions io.Writer
	answers   *json.Decoder
}

// start the validator, with feature gates as an API server takes them: A=true. Without any they are at
// the release's default.
func (v Validator) start(t *testing.T, gates ...string) *upstream {
	t.Helper()
	validator := exec.Command(v.build(t), "-feature-gates="+strings.Join(gates, ",")) // it ends with its stdin
	validator.Stderr = os.Stderr
	questions := must.Get(validator.StdinPipe())(t)
	answers := must.Get(validator.StdoutPipe())(t)
	must.Do(t, validator.Start())
	t.Cleanup(func() {
		_ = questions.Close()
		if err := validator.Wait(); err != nil && !t.Failed() {
			t.Errorf("the validator of Kubernetes %s: %v", v.Name, err)
		}
	})
	return &upstream{Validator: v, source: running{questions, json.NewDecoder(answers)}}
}

func (r running) answer(t *testing.T, question []byte) (a answer, known bool) {
	t.Helper()
	if _, err := r.questions.Write(append(question, '\n')); err != nil {
		t.Fatalf("asking a validator: %v", err)
	}
	if err := r.answers.Decode(&a); err != nil {
		t.Fatalf("a validator does not answer: %v\nto %s", err, clip(question))
	}
	return a, true
}

// chosen validators are built and asked in this run: those of the releases in CLAIMBRIDGE_RELEASES.
func chosen(t *testing.T) []Validator {
	t.Helper()
	validators, err := Chosen(os.Getenv("CLAIMBRIDGE_RELEASES"))
	if err != nil {
		t.Fatalf("CLAIMBRIDGE_RELEASES: %v", err)
	}
	return validators
}

// TestValidatorsBuild builds what is not in the cache yet, before the tests that ask: one build takes minutes.
func TestValidatorsBuild(t *testing.T) {
	for _, v := range chosen(t) {
		v.build(t)
	}
}

// build the validator of a release, or find it in the user's cache.
func (v Validator) build(t *testing.T) string {
	t.Helper()
	const folder = "../upstream"
	sources, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(sources) == 0 {
		t.Fatalf("no sources of the validators: %v", err)
	}
	sources = slices.DeleteFunc(sources, func(f string) bool { return strings.HasSuffix(f, "_test.go") })
	for i, file := range sources {
		sources[i] = filepath.Base(file)
	}
	program := programs.Program{
		Name:    "validator",
		Dir:     folder,
		Args:    []string{"-modfile=" + v.Modfile, "-tags=" + v.Tags, "-ldflags", "-s -w", "."},
		Sources: append(sources, v.Modfile, strings.TrimSuffix(v.Modfile, ".mod")+".sum"),
	}
	if v.Toolchain != "" {
		program.Env = []string{"GOTOOLCHAIN=" + v.Toolchain}
	}
	built := must.Get(programs.Set{
		Name:     "validators/" + v.Name,
		Patience: "building the validator of Kubernetes " + v.Name + ", some minutes the first time, and downloads",
		Programs: []programs.Program{program},
	}.Folder(t.Context()))(t)
	return filepath.Join(built, program.Name)
}
