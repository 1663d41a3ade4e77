package node

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/claimbridge/claimbridge/test/node/requirements"
)

// timeout is the limit for each step of a start. It is long, because the machine may be busy.
const timeout = 3 * time.Minute

// Start starts a cluster and waits until it is ready: the node is Ready, pods can be created in the namespace default,
// and Services respond. Missing programs are built, which takes about ten minutes. The cluster is deleted when the
// process ends, even if it is killed.
func Start(ctx context.Context, o Options) (*Cluster, error) {
	if err := requirements.Check(); err != nil {
		return nil, err
	}
	programs, err := requirements.BuildPrograms(ctx)
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

// start starts the node and its programs, in the order of their dependencies.
func (c *Cluster) start(ctx context.Context) error {
	started := time.Now()
	for _, step := range []func(context.Context) error{
		c.configure,
		c.startSupervisor,
		c.startPrograms("etcd", "containerd", "kube-apiserver"),
		c.loadInitialImages,
		c.waitForAPIServer,
		c.startProxies,
		// These programs exit if the API server does not respond.
		c.startPrograms("kube-controller-manager", "kube-scheduler", "kubelet", "kube-proxy"),
		c.waitForCluster,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	c.logf("the cluster is ready after %s", time.Since(started).Round(100*time.Millisecond))
	return nil
}

// newCluster returns a cluster with a slot and a folder on the machine, in which nothing runs yet.
func newCluster(ctx context.Context, o Options, programs requirements.ProgramDirs) (*Cluster, error) {
	node, slot, err := acquireSlot(ctx)
	if err != nil {
		return nil, err
	}
	c := &Cluster{
		node:      node,
		slot:      slot,
		options:   o,
		programs:  programs,
		processes: map[string]*process{},
		failed:    make(chan error, 1),
	}
	if c.node.Dir, err = os.MkdirTemp("", "claimbridge-node-"); err != nil {
		return nil, errors.Join(err, releaseSlot(slot))
	}
	return c, nil
}
