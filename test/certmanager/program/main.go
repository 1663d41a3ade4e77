// Command certmanager runs cert-manager's own code, as far as issuers of the kinds SelfSigned and
// CA need it. Its programs are modules that cannot be fetched by themselves; this one starts the
// same packages with the same defaults.
//
// With a kubeconfig for its argument it is controller and cainjector in one, for an API server
// without pods. In a pod it is what its own file is called, with the flags that cert-manager's
// chart gives: controller, cainjector or webhook. There are no leaders elected: one replica of each
// runs.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	ctrl.SetLogger(klog.Background())
	if err := run(ctx, filepath.Base(os.Args[0]), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, name string, args []string) error {
	switch {
	case name == "controller":
		go alive(":9403")
		return issue(ctx, "")
	case name == "cainjector":
		return inject(ctx, "")
	case name == "webhook":
		return admit(ctx, args)
	case len(args) == 1:
		return both(ctx, args[0])
	}
	return fmt.Errorf("usage: certmanager KUBECONFIG")
}

// both controller and cainjector, until one of them fails.
func both(ctx context.Context, kubeconfig string) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return issue(ctx, kubeconfig) })
	group.Go(func() error { return inject(ctx, kubeconfig) })
	return group.Wait()
}

// alive answers the liveness probe of the chart, which asks whether the lease of a leader is being renewed.
func alive(address string) {
	server := http.Server{
		Addr:              address,
		ReadHeaderTimeout: 5 * time.Second,
		Handler:           http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}),
	}
	fmt.Fprintln(os.Stderr, server.ListenAndServe())
}
