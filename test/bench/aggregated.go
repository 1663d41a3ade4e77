package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/go-logr/logr"
	"golang.org/x/sync/errgroup"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/claimbridge/claimbridge/test/aggregated/beside"
	"github.com/claimbridge/claimbridge/test/controlplane"
)

const (
	// inTree is a control plane that serves v1beta1 itself, which is off by default.
	inTree = "in-tree"
	// aggregatedVersion is served by both, aggregatedServer is the program's name.
	aggregatedVersion = "v1beta1"
	aggregatedServer  = "claimbridge-apiserver"
	// aggregatedLimit is the memory limit of the manifests, which they also give as GOMEMLIMIT.
	aggregatedLimit = 512 << 20
)

// sideBySide are two control planes with the same claims: one has the aggregated API server beside it, with the manifests and rights of a
// cluster, the other serves the old version itself.
type sideBySide struct {
	ours, inTree *cluster
	server       *beside.Server
	process      process
	started      time.Time
	// names of the claims in both, of which every second one is allocated.
	names []string
}

func (s *sideBySide) clusters() []*cluster { return []*cluster{s.inTree, s.ours} }

// aggregated measures an old version that the aggregated API server serves over a cluster's own v1, beside the same version in-tree: calls
// and lists, the way of an event, and what the server keeps in memory. The caller is an ordinary user, who is impersonated on the way.
func (b *bench) aggregated() (err error) {
	s := &sideBySide{ours: &cluster{name: claimbridge}, inTree: &cluster{name: inTree, runtimeConfig: "resource.k8s.io/" + aggregatedVersion + "=true"}}
	defer func() { err = errors.Join(err, s.stop()) }()
	if err := b.startSideBySide(s); err != nil {
		return err
	}
	if s.names, err = s.fill(b.stored); err != nil {
		return err
	}
	b.results.add(aggregatedStored, b.stored, values{})
	for _, measure := range []func(*sideBySide) error{b.idleAggregated, b.watched, b.aggregatedCalls, b.events, b.listsAtOnce} {
		if err := measure(s); err != nil {
			return err
		}
	}
	return nil
}

// startSideBySide builds the server while the control planes start.
func (b *bench) startSideBySide(s *sideBySide) error {
	log.SetLogger(logr.Discard()) // envtest's
	assets, err := controlplane.Assets(b)
	if err != nil {
		return err
	}
	if err := os.Setenv(controlplane.EnvAssets, assets); err != nil {
		return err
	}
	program := filepath.Join(b.temp, aggregatedServer)
	build := exec.CommandContext(b, b.goTool, "build", "-trimpath", "-ldflags", "-s -w", "-o", program, "./cmd/"+aggregatedServer)
	build.Dir, build.Env = b.root, append(os.Environ(), "CGO_ENABLED=0")
	var group errgroup.Group
	for _, c := range s.clusters() {
		group.Go(func() error { return c.start(b) })
	}
	group.Go(func() error {
		if output, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", build, err, output)
		}
		return nil
	})
	if err := group.Wait(); err != nil {
		return err
	}
	// The server has the environment of this process, whose own limit Go has read before.
	before, was := os.LookupEnv(goMemLimit)
	if err := os.Setenv(goMemLimit, fmt.Sprint(aggregatedLimit)); err != nil {
		return err
	}
	s.server, err = beside.Install(b, s.ours.plane, program, []string{aggregatedVersion, "v1beta2"})
	s.started = time.Now()
	if was {
		err = errors.Join(err, os.Setenv(goMemLimit, before))
	} else {
		err = errors.Join(err, os.Unsetenv(goMemLimit))
	}
	if err != nil {
		return err
	}
	s.process, err = child(aggregatedServer)
	return err
}

const goMemLimit = "GOMEMLIMIT"

func (s *sideBySide) stop() (err error) {
	if s.server != nil {
		err = s.server.Stop()
	}
	return errors.Join(err, s.ours.stop(), s.inTree.stop())
}
