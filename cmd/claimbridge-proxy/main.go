// Command claimbridge-proxy is `claimbridge proxy` as a sidecar: it serves the API of the cluster to the containers of
// its pod. docs/bridge.md has an example. It is a separate program because it links fewer packages, which reduces its
// idle memory from 36 MB to 22 MB in every pod that runs it.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/bridge"
	"github.com/claimbridge/claimbridge/cmd/internal/loopback"
	"github.com/claimbridge/claimbridge/cmd/internal/process"
	"github.com/claimbridge/claimbridge/cmd/internal/sidecar"
)

func main() {
	folder := flag.String("in-cluster", "",
		"folder in which to keep, below client, what in-cluster configurations read")
	port := flag.Uint("port", 8001, "port of 127.0.0.1 to serve on, by TLS")
	absent := flag.String("absent", string(bridge.Empty),
		"what is answered where the cluster does not have resource.k8s.io: empty or notfound")
	ready := flag.Bool("ready", false, "tell whether such a sidecar serves, as a startup probe, and end")
	flag.Parse()
	if *folder == "" || *port == 0 || *port > 65535 || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr,
			"error: --in-cluster and a port from 1 to 65535 are needed, and nothing but flags; --help lists them")
		os.Exit(2)
	}
	run := func() error { return serve(*folder, uint16(*port), bridge.Absent(*absent)) }
	if *ready {
		run = func() error { return sidecar.Probe(*folder, uint16(*port)) }
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// serve runs the proxy until a signal. It forwards each request with the credentials of its client, and never with its
// own.
func serve(folder string, port uint16, absent bridge.Absent) error {
	process.ReserveMemory()
	ctx, stop := process.SignalContext(context.Background())
	defer stop()
	config, err := rest.InClusterConfig()
	if err != nil {
		return err
	}
	identity, err := sidecar.Start(ctx, folder)
	if err != nil {
		return err
	}
	return loopback.Serve(ctx, os.Stdout, port, config, bridge.ProxyOptions{
		Options: bridge.Options{Absent: absent}, CallersOnly: true,
	}, identity)
}
