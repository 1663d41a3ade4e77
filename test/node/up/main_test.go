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

var printedCommands = regexp.MustCompile(`(?s)export KUBECONFIG=(\S+)\n.*export PATH=([^:]+):.*image=(\S+)\.\n`)

// startUp starts a cluster as make node does, and waits until the commands that use it are printed. It returns their
// values, a function that stops the cluster, and a channel with the result.
func startUp(t *testing.T) (kubeconfig, path, image string, stop func(), ended chan error) {
	t.Helper()
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	reader, writer := io.Pipe()
	ended = make(chan error, 1)
	t.Cleanup(func() {
		stop()
		_, _ = io.Copy(io.Discard, reader)
	})
	go func() {
		ended <- run(ctx, writer, nil)
		_ = writer.CloseWithError(io.EOF)
	}()
	var output strings.Builder
	buffer := make([]byte, 4096)
	for !printedCommands.MatchString(output.String()) {
		n, err := reader.Read(buffer)
		if err != nil {
			t.Fatalf("make node ended before the cluster was ready: %v, %v\n%s", err, <-ended, output.String())
		}
		output.Write(buffer[:n])
	}
	go func() { _, _ = io.Copy(io.Discard, reader) }()
	match := printedCommands.FindStringSubmatch(output.String())
	return match[1], match[2], match[3], stop, ended
}

// waitForEnd waits until the cluster has stopped, and checks that its files are removed.
func waitForEnd(t *testing.T, kubeconfig string, ended <-chan error) error {
	t.Helper()
	select {
	case err := <-ended:
		if _, err := os.Stat(kubeconfig); !os.IsNotExist(err) {
			t.Errorf("%s still exists after the cluster has stopped: %v", kubeconfig, err)
		}
		return err
	case <-time.After(await.Timeout): // usually one or two seconds
		t.Fatalf("the cluster has not stopped after %s", await.Timeout)
		return nil
	}
}

// TestPrintedCommandsWork checks that the printed commands work, and that the program removes everything when it ends
// after a signal.
func TestPrintedCommandsWork(t *testing.T) {
	t.Parallel()
	node.SkipIfUnsupported(t)
	kubeconfig, path, image, stop, ended := startUp(t)
	images := func() (string, error) {
		kubectl := exec.CommandContext(t.Context(), path+"/kubectl", "get", "nodes",
			"-o=jsonpath={.items[*].status.images[*].names}")
		kubectl.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig)
		output, err := kubectl.CombinedOutput()
		return string(output), err
	}
	await.NoError(t, "a node with the image "+image, func() error { // the kubelet reports its images periodically
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
	if err := waitForEnd(t, kubeconfig, ended); err != nil {
		t.Error(err)
	}
}
