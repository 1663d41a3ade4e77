package clients

import (
	"context"
	"encoding/json"
	"io"
	"os/exec"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Operation is an operation of the command client, with its object.
type Operation map[string]any

// Result is the object that the client has, or the error of the API server with its reason.
type Result struct {
	Object        map[string]any
	Error, Reason string
}

// Start starts the client of a release, which runs until the test ends, and returns a function that runs operations.
// The arguments are a kubeconfig and optionally a content type, which is JSON by default.
func Start(t testing.TB, release string, arguments ...string) (run func(Operation) Result) {
	t.Helper()
	// The program exits at the end of its input.
	command := exec.CommandContext(context.Background(), Program(t, release), arguments...)
	command.Stderr = io.Discard // warnings about deprecated versions
	in := must.Get(command.StdinPipe())(t)
	out := must.Get(command.StdoutPipe())(t)
	must.Do(t, command.Start())
	t.Cleanup(func() {
		_ = in.Close()
		if err := command.Wait(); err != nil {
			t.Errorf("client %s: %v", release, err)
		}
	})
	encoder, decoder := json.NewEncoder(in), json.NewDecoder(out)
	return func(operation Operation) (result Result) {
		t.Helper()
		err := encoder.Encode(operation)
		if err == nil {
			err = decoder.Decode(&result)
		}
		if err != nil {
			t.Fatalf("client %s: %v", release, err)
		}
		return result
	}
}
