package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	cliflag "k8s.io/component-base/cli/flag"
	"k8s.io/component-base/logs"
	logsapi "k8s.io/component-base/logs/api/v1"
	_ "k8s.io/component-base/logs/json/register" // --logging-format=json
	"k8s.io/klog/v2"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/claimbridge/claimbridge/cmd/internal/process"
	"github.com/claimbridge/claimbridge/internal/plainlog"
	"github.com/claimbridge/claimbridge/validation"
	"github.com/claimbridge/claimbridge/webhook"
)

const serveLong = `Serve conversion and validation of claims over HTTPS, as a kube-apiserver calls them.

On the secure port:

  POST /convert    ConversionReview of apiextensions.k8s.io/v1 and v1beta1
  POST /validate   AdmissionReview of admission.k8s.io/v1 and v1beta1
  POST /default    the same, of a mutating webhook
  GET  /livez, /readyz, /healthz, /version

On the metrics address: GET /metrics, for Prometheus.

Certificates come from files, which are read again when they change, or from a CA that all replicas share in the Secret
of --certificate-secret, whose caBundles are kept as well. With neither, an authority in memory signs a certificate for
localhost, which lasts as long as the process does; --ca-file writes its CA.

On SIGTERM or SIGINT /readyz fails at once and the server goes on for --shutdown-delay, then until no connection is left or
for --shutdown-idle-timeout, and finishes the requests that it has accepted. A second signal ends it at once.`

const serveExample = `  # On a laptop
  claimbridge serve --ca-file /tmp/ca.crt
  curl --cacert /tmp/ca.crt https://localhost:9443/readyz

  # With a mounted Secret of type kubernetes.io/tls, for a group of your own
  claimbridge serve --cert-dir /etc/claimbridge/tls --group claims.example.com \
      --shutdown-delay 10s --shutdown-idle-timeout 95s

  # With a CA of its own in a cluster without cert-manager
  claimbridge serve --certificate-secret claimbridge-system/claimbridge-ca \
      --tls-dns-names claimbridge.claimbridge-system.svc \
      --shutdown-delay 10s --shutdown-idle-timeout 95s`

func newServeCommand() *cobra.Command {
	o := newServeOptions()
	c := newCommand("serve", "Serve conversion and validation of claims as a webhook",
		serveLong, serveExample, cobra.NoArgs, func(cmd *cobra.Command) error { return o.run(cmd.Context()) })
	o.addFlags(&c.NamedFlagSets)
	c.takes("kubernetes-release", validation.AllReleases()...)
	c.takes("tls-min-version", tlsVersions...)
	c.takes("tls-cipher-suites", cliflag.PreferredTLSCipherNames()...)
	c.takes("logging-format", textOrJSON...)
	return c.whole()
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
	server, err := webhook.New(o.webhook())
	if err != nil {
		return usagef("%w", err)
	}
	process.LeaveRoom()
	ctx, stop := process.UntilSignal(ctx)
	defer stop()
	if err := server.Run(ctx); err != nil {
		plainlog.New(klog.Background()).Error(err, "Server failed") // as a log line, in the format that was asked for
		return fmt.Errorf("%w: %w", errReported, err)
	}
	return nil
}
