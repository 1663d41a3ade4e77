//go:build node

package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/node"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

var says = regexp.MustCompile(`(?s)export KUBECONFIG=(\S+)\n.*export PATH=([^:]+):.*image=(\S+)\.\n`)

// patience with the end of a cluster, which takes a second or two.
const patience = time.Minute

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
	case <-time.After(patience):
		t.Fatalf("it has not ended in %s", patience)
		return nil
	}
}

// What it prints works, word for word; and when it is told to end, it does, and takes everything with it.
func TestWhatIsPrintedWorks(t *testing.T) {
	t.Parallel()
	node.Needed(t)
	kubeconfig, path, image, stop, ended := up(t)
	images := func() (string, error) {
		kubectl := exec.CommandContext(t.Context(), path+"/kubectl", "get", "nodes", "-o=jsonpath={.items[*].status.images[*].names}")
		kubectl.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig)
		output, err := kubectl.CombinedOutput()
		return string(output), err
	}
	output, err := images()
	for deadline := time.Now().Add(time.Minute); err == nil && !strings.Contains(output, image) && time.Now().Before(deadline); output, err = images() {
		time.Sleep(time.Second) // the kubelet tells of its images now and then
	}
	if err != nil || !strings.Contains(output, image) {
		t.Errorf("want a node with the image %s, got %s, %v", image, output, err)
	}
	stop()
	if err := end(t, kubeconfig, ended); err != nil {
		t.Error(err)
	}
}

var kept = regexp.MustCompile(`kept in (\S+)`)

// A cluster that lost a program is none: it ends, says which program it was, and leaves its logs to be read.
func TestAProgramThatEndsIsTold(t *testing.T) {
	t.Parallel()
	node.Needed(t)
	kubeconfig, _, _, _, ended := up(t)
	must.Do(t, syscall.Kill(process(t, "kube-scheduler", filepath.Base(filepath.Dir(kubeconfig))), syscall.SIGKILL))
	err := end(t, kubeconfig, ended)
	if err == nil || !strings.Contains(err.Error(), "kube-scheduler has ended: killed\n") {
		t.Fatalf("want the program that ended, got %v", err)
	}
	said := kept.FindStringSubmatch(err.Error())
	if said == nil {
		t.Fatalf("no folder with logs: %v", err)
	}
	defer func() { _ = os.RemoveAll(said[1]) }()
	if log, err := os.ReadFile(filepath.Join(said[1], "kube-scheduler.log")); err != nil || len(log) == 0 {
		t.Errorf("the log of what ended: %q, %v", log, err)
	}
}

// process of a program in the node that sees a folder, by its number on the machine.
func process(t *testing.T, name, folder string) int {
	t.Helper()
	files := must.Get(filepath.Glob("/proc/[0-9]*/comm"))(t)
	var found []int
	for _, file := range files {
		comm, err := os.ReadFile(file)
		mounts, alsoErr := os.ReadFile(filepath.Join(filepath.Dir(file), "mountinfo"))
		if errors.Join(err, alsoErr) != nil || strings.TrimSpace(string(comm)) != name || !bytes.Contains(mounts, []byte(folder+" ")) {
			continue
		}
		id := must.Get(strconv.Atoi(filepath.Base(filepath.Dir(file))))(t)
		found = append(found, id)
	}
	if len(found) != 1 {
		t.Fatalf("%s runs as %v", name, found)
	}
	return found[0]
}
