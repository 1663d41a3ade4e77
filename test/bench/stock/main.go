package main

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"syscall"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/conversion"

	"kubernetes-1.30.example/api/resource/v1alpha2"
	"kubernetes-1.31.example/api/resource/v1alpha3"
)

func main() {
	port := flag.Int("port", 0, "port to listen on, on loopback")
	certDir := flag.String("cert-dir", "", "folder with tls.crt and tls.key")
	flag.Parse()
	if err := serve(*port, *certDir); err != nil {
		fmt.Fprintln(os.Stderr, "stock:", err)
		os.Exit(1) //nolint:forbidigo // a separate program
	}
}

func serve(port int, certDir string) error {
	log.SetLogger(logr.Discard())
	handler, err := newHandler()
	if err != nil {
		return err
	}
	server := webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: port, CertDir: certDir})
	server.Register("/convert", handler)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	return server.Start(ctx)
}

// newHandler returns a conversion handler like that of a controller-runtime manager.
func newHandler() (http.Handler, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{v1alpha2.AddToScheme, v1alpha3.AddToScheme} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	registry := conversion.NewRegistry()
	converter, err := conversion.NewHubSpokeConverter(&v1alpha3.ResourceClaim{},
		conversion.NewSpokeConverter(&v1alpha2.ResourceClaim{}, claimToV1alpha2, claimFromV1alpha2))(scheme)
	if err != nil {
		return nil, err
	}
	if err := registry.RegisterConverter(schema.GroupKind{Group: v1alpha3.GroupName, Kind: "ResourceClaim"},
		converter); err != nil {
		return nil, err
	}
	return conversion.NewWebhookHandler(scheme, registry), nil
}
