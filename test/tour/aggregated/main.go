// Command aggregated shows the aggregated API server at its job, on a machine that has nothing but Go: it starts a kube-apiserver with
// default flags, which serves resource.k8s.io/v1 alone, and the server beside it, and does what a client of Kubernetes 1.32 does in v1beta1
// while a client of today looks on in v1.
//
//	go run ./test/tour/aggregated
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/claimbridge/claimbridge/test/aggregated/beside"
	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := tour(ctx, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "tour:", err)
		os.Exit(1) //nolint:forbidigo // a program of its own
	}
}

// version that the client speaks.
const version = "v1beta1"

func tour(ctx context.Context, out io.Writer) (err error) {
	log.SetLogger(logr.Discard()) // envtest asks for one
	assets, err := controlplane.Assets(ctx)
	if err != nil {
		return err
	}
	if err := os.Setenv(controlplane.EnvAssets, assets); err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "claimbridge-tour-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()

	say(out, "A control plane of Kubernetes 1.36 with default flags")
	cluster, err := plane.Start(plane.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cluster.Stop()) }()
	t := &tourist{ctx: ctx, out: out, cluster: cluster}
	if err := t.versions(); err != nil {
		return err
	}
	if err := t.refused(); err != nil {
		return err
	}

	say(out, "claimbridge-apiserver beside it: its manifests are applied, and it serves v1beta1 and v1beta2 over the cluster's own v1")
	program, err := beside.Build(ctx, folder)
	if err != nil {
		return err
	}
	server, err := beside.Install(ctx, cluster, program, []string{"v1beta1", "v1beta2"})
	if server != nil {
		defer func() { err = errors.Join(err, server.Stop()) }()
	}
	if err != nil {
		return err
	}
	if err := t.versions(); err != nil {
		return err
	}
	return t.claims()
}
