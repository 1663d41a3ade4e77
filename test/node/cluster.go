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

	"github.com/claimbridge/claimbridge/test/node/needs"
)

// Cluster of one node that is running.
type Cluster struct {
	node     *spec
	place    *os.File
	keeper   *keeper
	programs needs.Folders
	options  Options
	flags    map[string][]string // of each program
	config   *rest.Config
	client   kubernetes.Interface

	mutex sync.Mutex
	runs  map[string]*run
	lost  chan error // the first program that ended unasked

	stops   sync.Once
	stopped error
}

// Kubeconfig is a file for a member of system:masters. The machine can reach the API server.
func (c *Cluster) Kubeconfig() string { return filepath.Join(c.node.Folder, "kubeconfig") }

// Config of a member of system:masters.
func (c *Cluster) Config() *rest.Config { return rest.CopyConfig(c.config) }

// Kubectl is the program, of the release of the cluster.
func (c *Cluster) Kubectl() string { return filepath.Join(c.programs.Plane, "kubectl") }

// Logs is the folder with the log of each program.
func (c *Cluster) Logs() string { return filepath.Join(c.node.Folder, "logs") }

// KeepLogs of a cluster whose folder goes with it, in a temporary folder that stays.
func (c *Cluster) KeepLogs() (folder string, err error) {
	folder, err = os.MkdirTemp("", "claimbridge-node-logs-")
	if err == nil {
		err = os.CopyFS(folder, os.DirFS(c.Logs()))
	}
	if err != nil {
		return "", fmt.Errorf("keep the logs: %w", err)
	}
	return folder, nil
}

// In is a command inside the node: it sees the node's processes, files, cgroups and links, and is
// looked for among the node's programs, ctr included. The file of a path that begins with
// /node/state is one of the folder of the cluster.
func (c *Cluster) In(ctx context.Context, args ...string) *exec.Cmd {
	enter := []string{"--target=" + strconv.Itoa(c.node.Init), "--mount", "--uts", "--ipc", "--net", "--pid", "--"}
	command := exec.CommandContext(ctx, "nsenter", append(enter, args...)...)
	command.Dir, command.Env = "/", []string{"PATH=" + path, "HOME=/root"}
	together(command)
	return command
}

// Wait waits until the context ends, which is no error, or until a program of the cluster ends unexpectedly. The error
// then has its name and the end of its log, and the cluster cannot be used.
func (c *Cluster) Wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-c.lost:
		return err
	}
}

// Stop the cluster. Nothing is left of it: no process, mount, link, route or cgroup, and no folder.
func (c *Cluster) Stop() error {
	c.stops.Do(func() { c.stopped = c.end() })
	return c.stopped
}

func (c *Cluster) end() error {
	if c.keeper == nil {
		return errors.Join(os.RemoveAll(c.node.Folder), release(c.place))
	}
	err := c.keeper.close()
	if err != nil {
		err = fmt.Errorf("stop the cluster: %w\n%s", err, c.tail("keeper"))
	}
	return errors.Join(err, c.place.Close())
}

// say what is being done.
func (c *Cluster) say(format string, args ...any) {
	if c.options.Log != nil {
		_, _ = fmt.Fprintf(c.options.Log, "node: "+format+"\n", args...)
	}
}
