package test

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/validation"
)

// upstream is a running judge: the code of one release of Kubernetes, answering one question after the other.
type upstream struct {
	judge
	questions io.Writer
	answers   *json.Decoder
}

// answer of an upstream judge.
type answer struct {
	Errors      []problem
	Undecodable string
	Panic       string
	// Object that was converted.
	Object json.RawMessage
}

type problem struct{ Type, Field, Detail string }

// aboutContent is whether a webhook is asked about what has the problem: metadata is the API server's own business.
func (p problem) aboutContent() bool {
	return p.Field != "metadata" && !strings.HasPrefix(p.Field, "metadata.")
}

// content is the problems that a webhook has to find too.
func (a answer) content() []problem {
	return slices.DeleteFunc(slices.Clone(a.Errors), func(p problem) bool { return !p.aboutContent() })
}

// start the judge, with feature gates as an API server takes them: A=true. Without any they are at the release's default.
func (j judge) start(t *testing.T, gates ...string) *upstream {
	t.Helper()
	judge := exec.Command(j.build(t), "-feature-gates="+strings.Join(gates, ",")) // it ends with its stdin
	judge.Stderr = os.Stderr
	questions, err := judge.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	answers, err := judge.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := judge.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = questions.Close()
		if err := judge.Wait(); err != nil && !t.Failed() {
			t.Errorf("the judge of Kubernetes %s: %v", j.name, err)
		}
	})
	return &upstream{j, questions, json.NewDecoder(answers)}
}

var operationNames = map[validation.Operation]string{
	validation.Create: "create", validation.Update: "update", validation.UpdateStatus: "status",
}

// ask about a write. The objects go as they are, to the byte: an encoder would compact them.
func (u *upstream) ask(t *testing.T, r validation.Request) answer {
	t.Helper()
	question := append([]byte(`{"operation":"`+operationNames[r.Operation]+`","object":`), r.Object...)
	if r.Operation != validation.Create {
		question = append(append(question, `,"oldObject":`...), r.OldObject...)
	}
	return u.put(t, append(question, '}'))
}

// convert an object to a version by the release's own conversion, with the defaults of the object's version or without.
func (u *upstream) convert(t *testing.T, object []byte, version string, defaults bool) answer {
	t.Helper()
	question := append([]byte(`{"operation":"convert","version":"`+version+`","defaults":`+strconv.FormatBool(defaults)+`,"object":`), object...)
	return u.put(t, append(question, '}'))
}

func (u *upstream) put(t *testing.T, question []byte) (a answer) {
	t.Helper()
	if _, err := u.questions.Write(append(question, '\n')); err != nil {
		t.Fatalf("asking the judge of Kubernetes %s: %v", u.name, err)
	}
	if err := u.answers.Decode(&a); err != nil {
		t.Fatalf("the judge of Kubernetes %s does not answer: %v\nto %s", u.name, err, question)
	}
	return a
}
