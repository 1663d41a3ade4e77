package webhooktest

import (
	"cmp"
	"time"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"

	"github.com/claimbridge/claimbridge/config"
)

// Options are the options of a [Webhook]. The zero value serves resource.k8s.io.
type Options struct {
	// Group is the group of the claims. Default: resource.k8s.io. Other groups also work with an API server that serves
	// resource.k8s.io itself.
	Group string
	// ConversionOnly installs no webhook configurations. Then claims are not validated, and only the defaults of the
	// schema are set.
	ConversionOnly bool
	// Timeout is the timeout of Start. Default: a minute. On an idle machine, Start takes less than two seconds.
	Timeout time.Duration
	// Logger is the log of the webhook. Default: none, because clients get all errors.
	Logger logr.Logger
}

const defaultTimeout = time.Minute

func (o Options) complete() Options {
	o.Group = cmp.Or(o.Group, config.DefaultGroup)
	o.Timeout = cmp.Or(o.Timeout, defaultTimeout)
	if o.Logger.GetSink() == nil {
		// the server would treat the sink of logr.Discard as none, and use klog's
		o.Logger = funcr.New(func(string, string) {}, funcr.Options{})
	}
	return o
}
