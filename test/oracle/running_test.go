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

// validatorProcess is a process with the code of one release of Kubernetes. It answers one question at a time.
type validatorProcess struct {
	questions io.Writer
	answers   *json.Decoder
}

// start starts the validator with feature gates in the format of an API server, A=true. The others have the default of
// the release.
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
	return &upstream{Validator: v, source: validatorProcess{questions, json.NewDecoder(answers)}}
}

func (p validatorProcess) answer(t *testing.T, question []byte) (a answer, known bool) {
	t.Helper()
	if _, err := p.questions.Write(append(question, '\n')); err != nil {
		t.Fatalf("sending a question to a validator: %v", err)
	}
	if err := p.answers.Decode(&a); err != nil {
		t.Fatalf("reading the answer of a validator: %v\nquestion: %s", err, clip(question))
	}
	return a, true
}

// chosen returns the validators of this run: those of the releases in CLAIMBRIDGE_RELEASES.
func chosen(t *testing.T) []Validator {
	t.Helper()
	validators, err := Chosen(os.Getenv("CLAIMBRIDGE_RELEASES"))
	if err != nil {
		t.Fatalf("CLAIMBRIDGE_RELEASES: %v", err)
	}
	return validators
}

// TestValidatorsBuild builds the validators that are not cached, before other tests use them. A build takes minutes.
func TestValidatorsBuild(t *testing.T) {
	for _, v := range chosen(t) {
		v.build(t)
	}
}

// build returns the program of the validator. It builds it if the user's cache does not have it.
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
		Notice:   "building the validator of Kubernetes " + v.Name + ", some minutes the first time, and downloads",
		Programs: []programs.Program{program},
	}.Folder(t.Context()))(t)
	return filepath.Join(built, program.Name)
}
