// Command envtest prints the folder with etcd, kube-apiserver and kubectl, and builds them if they are missing:
//
//	export KUBEBUILDER_ASSETS=$(make -s envtest)
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/claimbridge/claimbridge/test/controlplane"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	folder, err := controlplane.Assets(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, "envtest:", err)
		os.Exit(1) //nolint:forbidigo,gocritic // a separate program, and nothing is left to stop
	}
	fmt.Println(folder)
}
