//go:build oracle

package oracle

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// running judge: the code of one release of Kubernetes, answering one question after the other.
type running struct {
	questions io.Writer
	answers   *json.Decoder
}

// start the judge, with feature gates as an API server takes them: A=true. Without any they are at the release's default.
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
