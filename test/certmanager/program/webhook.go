package main

import (
	"context"

	// Go permits this internal import because the path of this module is below that of cert-manager.
	"github.com/cert-manager/cert-manager/internal/webhook"
	"github.com/cert-manager/cert-manager/pkg/webhook/options"
	"github.com/spf13/pflag"
	"k8s.io/klog/v2"
)

// runWebhook runs cert-manager's complete webhook, which validates Issuers and Certificates.
func runWebhook(ctx context.Context, args []string) error {
	configuration, err := options.NewWebhookConfiguration()
	if err != nil {
		return err
	}
	flags := pflag.NewFlagSet("webhook", pflag.ContinueOnError)
	options.AddConfigFlags(flags, configuration)
	if err := flags.Parse(args); err != nil {
		return err
	}
	server, err := webhook.NewCertManagerWebhookServer(klog.Background(), *configuration)
	if err != nil {
		return err
	}
	return server.Run(ctx)
}
