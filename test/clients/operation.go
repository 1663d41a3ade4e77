package clients

import (
	"context"
	"encoding/json"
	"io"
	"os/exec"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Question is a request to the command client: an operation and an object.
type Question map[string]any

// Answer is the response of the client: the object as the client has it, or the error of the API server with its
// reason.
type Answer struct {
	Object        map[string]any
	Error, Reason string
}

// Start the client of a release, which runs until the test ends, and ask it. The arguments are its
// kubeconfig and, if it is not to write JSON, a content type.
func Start(t testing.TB, release string, arguments ...string) (ask func(Question) Answer) {
	t.Helper()
	command := exec.CommandContext(context.Background(), Program(t, release), arguments...) // ends with its input
	// warnings of deprecated versions
	command.Stderr = io.Discard
	in := must.Get(command.StdinPipe())(t)
	out := must.Get(command.StdoutPipe())(t)
	must.Do(t, command.Start())
	t.Cleanup(func() {
		_ = in.Close()
		if err := command.Wait(); err != nil {
			t.Errorf("client %s: %v", release, err)
		}
	})
	questions, answers := json.NewEncoder(in), json.NewDecoder(out)
	return func(q Question) (a Answer) {
		t.Helper()
		err := questions.Encode(q)
		if err == nil {
			err = answers.Decode(&a)
		}
		if err != nil {
			t.Fatalf("client %s: %v", release, err)
		}
		return a
	}
}
