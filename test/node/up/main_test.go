//go:build node

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/node"
	"github.com/claimbridge/claimbridge/test/testkit/await"
)

var says = regexp.MustCompile(`(?s)export KUBECONFIG=(\S+)\n.*export PATH=([^:]+):.*image=(\S+)\.\n`)

// up runs what make node runs, until it says that the cluster is there, and what it says.
func up(t *testing.T) (kubeconfig, path, image string, stop func(), ended chan error) {
	t.Helper()
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	reads, writes := io.Pipe()
	ended = make(chan error, 1)
	t.Cleanup(func() {
		stop()
		_, _ = io.Copy(io.Discard, reads)
	})
	go func() {
		ended <- run(ctx, writes, nil)
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
	return said[1], said[2], said[3], stop, ended
}

// end of it, with nothing left of the cluster.
func end(t *testing.T, kubeconfig string, ended <-chan error) error {
	t.Helper()
	select {
	case err := <-ended:
		if _, err := os.Stat(kubeconfig); !os.IsNotExist(err) {
			t.Errorf("%s is still there: %v", kubeconfig, err)
		}
		return err
	case <-time.After(await.Timeout): // it takes a second or two
		t.Fatalf("it has not ended in %s", await.Timeout)
		return nil
	}
}

// The printed commands work. After a signal, the program ends and removes everything.
func TestPrintedCommandsWork(t *testing.T) {
	t.Parallel()
	node.SkipIfUnsupported(t)
	kubeconfig, path, image, stop, ended := up(t)
	images := func() (string, error) {
		kubectl := exec.CommandContext(t.Context(), path+"/kubectl", "get", "nodes",
			"-o=jsonpath={.items[*].status.images[*].names}")
		kubectl.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig)
		output, err := kubectl.CombinedOutput()
		return string(output), err
	}
	await.NoError(t, "a node with the image "+image, func() error { // the kubelet tells of its images now and then
		output, err := images()
		if err != nil {
			return await.Permanent(fmt.Errorf("%w: %s", err, output))
		}
		if !strings.Contains(output, image) {
			return errors.New(output)
		}
		return nil
	})
	stop()
	if err := end(t, kubeconfig, ended); err != nil {
		t.Error(err)
	}
}
