// Command certmanager runs components of cert-manager, as far as Issuers of the kinds SelfSigned and CA need them. It
// uses cert-manager's packages with the defaults of cert-manager's programs, because the modules of these programs
// cannot be downloaded separately.
//
// With a kubeconfig as its argument, it runs the controller and the cainjector, for an API server without pods. In a
// pod, the name of its file selects the component: controller, cainjector or webhook, with the flags from
// cert-manager's chart. There is no leader election, so only one replica of each may run.
package main

import (
	"context"
	"errors"
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
		go serveLiveness(":9403")
		return runController(ctx, "")
	case name == "cainjector":
		return runCAInjector(ctx, "")
	case name == "webhook":
		return runWebhook(ctx, args)
	case len(args) == 1:
		return runControllerAndCAInjector(ctx, args[0])
	}
	return errors.New("usage: certmanager KUBECONFIG")
}

// runControllerAndCAInjector runs both until one of them fails.
func runControllerAndCAInjector(ctx context.Context, kubeconfig string) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return runController(ctx, kubeconfig) })
	group.Go(func() error { return runCAInjector(ctx, kubeconfig) })
	return group.Wait()
}

// serveLiveness serves the liveness probe of cert-manager's chart. In cert-manager, the probe fails if a leader does
// not renew its lease. Without leader election, it always succeeds.
func serveLiveness(address string) {
	server := http.Server{
		Addr:              address,
		ReadHeaderTimeout: 5 * time.Second,
		Handler:           http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}),
	}
	fmt.Fprintln(os.Stderr, server.ListenAndServe())
}
