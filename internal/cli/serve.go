package cli

import (
	"context"
	"fmt"

	"github.com/go-logr/logr"
	"github.com/spf13/cobra"
	cliflag "k8s.io/component-base/cli/flag"
	"k8s.io/component-base/logs"
	logsapi "k8s.io/component-base/logs/api/v1"
	_ "k8s.io/component-base/logs/json/register" // --logging-format=json
	"k8s.io/klog/v2"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/claimbridge/claimbridge/internal/plainlog"
	"github.com/claimbridge/claimbridge/internal/process"
	"github.com/claimbridge/claimbridge/validation"
	"github.com/claimbridge/claimbridge/webhook"
)

func newServeCommand() *cobra.Command {
	o := newServeOptions()
	c := newCommand("serve", "Serve conversion and validation of claims as a webhook",
		cobra.NoArgs, func(cmd *cobra.Command) error { return o.run(cmd.Context()) })
	o.addFlags(&c.NamedFlagSets)
	c.completeWith("kubernetes-release", validation.AllReleases()...)
	c.completeWith("tls-min-version", tlsVersions...)
	c.completeWith("tls-cipher-suites", cliflag.PreferredTLSCipherNames()...)
	c.completeWith("logging-format", textOrJSON...)
	return c.build()
}

func (o *serveOptions) run(ctx context.Context) error {
	if err := o.check(); err != nil {
		return err
	}
	logs.InitLogs()
	defer logs.FlushLogs()
	if err := logsapi.ValidateAndApply(o.logs, nil); err != nil {
		return usagef("%w", err)
	}
	ctrllog.SetLogger(plainlog.New(klog.Background())) // for the watcher of certificate files
	log := plainlog.New(klog.Background())
	options := o.webhook()
	source, err := o.certificates().Open(log)
	if err != nil {
		return reportServeError(log, err)
	}
	options.Certificates = source
	server, err := webhook.New(options)
	if err != nil {
		return usagef("%w", err)
	}
	process.ReserveMemory()
	ctx, stop := process.SignalContext(ctx)
	defer stop()
	if err := server.Run(ctx); err != nil {
		return reportServeError(log, err)
	}
	return nil
}

// reportServeError logs an error in the configured log format.
func reportServeError(log logr.Logger, err error) error {
	log.Error(err, "Server failed")
	return fmt.Errorf("%w: %w", errReported, err)
}
