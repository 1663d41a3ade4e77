package webhooktest

import (
	"cmp"
	"time"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"

	"github.com/claimbridge/claimbridge/config"
)

// Options of the webhook. The zero value serves resource.k8s.io.
type Options struct {
	// Group of the claims. Default: resource.k8s.io. Any other name works beside an API server that serves
	// resource.k8s.io itself.
	Group string
	// ConversionOnly installs no admission configurations: nothing is validated, and nothing defaulted beyond what the
	// definitions say.
	ConversionOnly bool
	// Timeout of Start. Default: a minute; on an idle machine it takes less than two seconds.
	Timeout time.Duration
	// Logger for what the webhook has to say. Default: nothing is logged; what goes wrong reaches the clients anyway.
	Logger logr.Logger
}

const defaultTimeout = time.Minute

func (o Options) complete() Options {
	o.Group = cmp.Or(o.Group, config.DefaultGroup)
	o.Timeout = cmp.Or(o.Timeout, defaultTimeout)
	if o.Logger.GetSink() == nil {
		// that of logr.Discard counts as none, and then the server takes klog's
		o.Logger = funcr.New(func(string, string) {}, funcr.Options{})
	}
	return o
}
