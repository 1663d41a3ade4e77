package main

import (
	"context"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/node"
)

var says = regexp.MustCompile(`(?s)export KUBECONFIG=(\S+)\n.*export PATH=([^:]+):.*image=(\S+)\.\n`)

// What it prints works, word for word; and when it is told to end, it does, and takes everything with it.
func TestWhatIsPrintedWorks(t *testing.T) {
	node.Needed(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	reads, writes := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := run(ctx, writes, nil)
		ended <- err
		_ = writes.CloseWithError(io.EOF)
	}()
	var text strings.Builder
	piece := make([]byte, 4096)
	for !says.MatchString(text.String()) {
		n, err := reads.Read(piece)
		if err != nil {
			t.Fatalf("it ended: %v, %v\n%s", err, <-ended, text.String())
		}
		text.Write(piece[:n])
	}
	go func() { _, _ = io.Copy(io.Discard, reads) }()
	said := says.FindStringSubmatch(text.String())
	kubectl := exec.CommandContext(t.Context(), said[2]+"/kubectl", "get", "nodes", "-o=jsonpath={.items[*].status.images[*].names}")
	kubectl.Env = append(os.Environ(), "KUBECONFIG="+said[1])
	output, err := kubectl.CombinedOutput()
	if err != nil || !strings.Contains(string(output), said[3]) {
		t.Errorf("want a node with the image %s, got %s, %v", said[3], output, err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(said[1]); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", said[1], err)
	}
}
