package node

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/claimbridge/claimbridge/test/node/needs"
)

// patience with each step of a start. The machine may be busy: it costs nothing when it is not.
const patience = 3 * time.Minute

// Start a cluster. It is ready: its node is, pods can be created in the namespace default, and Services answer. Missing
// programs are built, which takes some ten minutes. When the process ends, in whatever way, the cluster does.
func Start(ctx context.Context, o Options) (*Cluster, error) {
	if err := needs.Check(); err != nil {
		return nil, err
	}
	programs, err := needs.Build(ctx)
	if err != nil {
		return nil, err
	}
	c, err := newCluster(ctx, o, programs)
	if err != nil {
		return nil, err
	}
	if err := c.start(ctx); err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	return c, nil
}

// start what runs in the node, in the order in which one thing needs another.
func (c *Cluster) start(ctx context.Context) error {
	begun := time.Now()
	for _, step := range []func(context.Context) error{
		c.configure, c.keep, c.run("etcd", "containerd", "kube-apiserver"), c.loadFirst, c.serve, c.bridge,
		// These end when there is no API server yet.
		c.run("kube-controller-manager", "kube-scheduler", "kubelet", "kube-proxy"), c.ready,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	c.say("the cluster is ready after %s", time.Since(begun).Round(100*time.Millisecond))
	return nil
}

// newCluster with its place on the machine, without anything that runs.
func newCluster(ctx context.Context, o Options, programs needs.Folders) (*Cluster, error) {
	node, place, err := take(ctx)
	if err != nil {
		return nil, err
	}
	c := &Cluster{
		node: node, place: place, options: o, programs: programs, runs: map[string]*run{},
		lost: make(chan error, 1),
	}
	if c.node.Folder, err = os.MkdirTemp("", "claimbridge-node-"); err != nil {
		return nil, errors.Join(err, release(place))
	}
	return c, nil
}
