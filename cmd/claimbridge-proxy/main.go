// Command claimbridge-proxy is `claimbridge proxy` as a sidecar: it serves the API of the cluster to the containers of
// its pod. docs/bridge.md has an example. It is a separate program because it links fewer packages, so it needs less
// memory in every pod that runs it (docs/performance.md).
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/bridge"
	"github.com/claimbridge/claimbridge/internal/loopback"
	"github.com/claimbridge/claimbridge/internal/process"
	"github.com/claimbridge/claimbridge/internal/sidecar"
)

func main() {
	dir := flag.String("in-cluster", "",
		"`directory` for the files of the proxy; mount its subdirectory client in other containers as their "+
			"service account")
	port := flag.Uint("port", 8001, "port on 127.0.0.1 to serve HTTPS on")
	absent := flag.String("absent", string(bridge.AbsentEmpty),
		"response if the cluster does not serve resource.k8s.io: empty (empty lists) or notfound (404)")
	ready := flag.Bool("ready", false, "check whether the sidecar serves, and exit; for a startup probe")
	flag.Parse()
	if *dir == "" || *port == 0 || *port > 65535 || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr,
			"error: --in-cluster must name a directory, and --port must be from 1 to 65535; arguments are not allowed: "+
				"see --help")
		os.Exit(2)
	}
	run := func() error { return serve(*dir, uint16(*port), bridge.AbsentPolicy(*absent)) }
	if *ready {
		run = func() error { return sidecar.Probe(*dir, uint16(*port)) }
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// serve runs the proxy until a signal. It forwards each request with the credentials of its client, and never with its
// own.
func serve(dir string, port uint16, absent bridge.AbsentPolicy) error {
	process.ReserveMemory()
	ctx, stop := process.SignalContext(context.Background())
	defer stop()
	config, err := rest.InClusterConfig()
	if err != nil {
		return err
	}
	identity, err := sidecar.Start(ctx, dir)
	if err != nil {
		return err
	}
	return loopback.Serve(ctx, os.Stdout, port, config, bridge.ProxyOptions{
		Options: bridge.Options{Absent: absent}, RequireCredentials: true,
	}, identity)
}
