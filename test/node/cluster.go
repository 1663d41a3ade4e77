package node

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/test/node/requirements"
)

// Cluster is a running cluster of one node.
type Cluster struct {
	node       *spec
	slot       *os.File // locked while the cluster runs
	supervisor *supervisor
	programs   requirements.ProgramDirs
	options    Options
	flags      map[string][]string // by program
	config     *rest.Config
	client     kubernetes.Interface

	mutex     sync.Mutex
	processes map[string]*process // running processes by name
	failed    chan error          // the first unexpected exit of a program

	stopOnce sync.Once
	stopErr  error
}

// Kubeconfig returns the path of a kubeconfig for a member of system:masters. It works on the machine.
func (c *Cluster) Kubeconfig() string { return filepath.Join(c.node.Dir, "kubeconfig") }

// Config returns the client configuration of a member of system:masters.
func (c *Cluster) Config() *rest.Config { return rest.CopyConfig(c.config) }

// Kubectl returns the path of kubectl, which has the cluster's release.
func (c *Cluster) Kubectl() string { return filepath.Join(c.programs.ControlPlane, "kubectl") }

// Logs returns the folder with the log of each program.
func (c *Cluster) Logs() string { return filepath.Join(c.node.Dir, "logs") }

// KeepLogs copies the logs to a temporary folder, which [Cluster.Stop] does not delete.
func (c *Cluster) KeepLogs() (dir string, err error) {
	dir, err = os.MkdirTemp("", "claimbridge-node-logs-")
	if err == nil {
		err = os.CopyFS(dir, os.DirFS(c.Logs()))
	}
	if err != nil {
		return "", fmt.Errorf("keep the logs: %w", err)
	}
	return dir, nil
}

// Command returns a command that runs in the namespaces of the node: it sees the node's processes, files, cgroups and
// links. The node's programs, including ctr, are in its PATH. The cluster's folder is at /node/state.
func (c *Cluster) Command(ctx context.Context, args ...string) *exec.Cmd {
	nsenter := []string{"--target=" + strconv.Itoa(c.node.Init), "--mount", "--uts", "--ipc", "--net", "--pid", "--"}
	command := exec.CommandContext(ctx, "nsenter", append(nsenter, args...)...)
	command.Dir, command.Env = "/", []string{"PATH=" + pathVariable, "HOME=/root"}
	killProcessGroupOnCancel(command)
	return command
}

// Wait waits until the context ends, and returns nil, or until a program of the cluster exits unexpectedly. The error
// then has its name and the end of its log, and the cluster cannot be used.
func (c *Cluster) Wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-c.failed:
		return err
	}
}

// Stop deletes the cluster: its processes, mounts, link, routes, cgroups and folder.
func (c *Cluster) Stop() error {
	c.stopOnce.Do(func() { c.stopErr = c.delete() })
	return c.stopErr
}

func (c *Cluster) delete() error {
	if c.supervisor == nil {
		return errors.Join(os.RemoveAll(c.node.Dir), releaseSlot(c.slot))
	}
	err := c.supervisor.stop()
	if err != nil {
		err = fmt.Errorf("stop the cluster: %w\n%s", err, c.logTail("supervisor"))
	}
	return errors.Join(err, c.slot.Close())
}

// logf logs progress to [Options.Log].
func (c *Cluster) logf(format string, args ...any) {
	if c.options.Log != nil {
		_, _ = fmt.Fprintf(c.options.Log, "node: "+format+"\n", args...)
	}
}
