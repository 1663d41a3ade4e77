package webhook

import (
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"slices"

	"k8s.io/component-base/version"
	"k8s.io/klog/v2"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/plainlog"
	"github.com/claimbridge/claimbridge/webhook/internal/review"
)

const (
	defaultGroup = api.Group
	defaultPort  = 9443
	// defaultMetricsAddress is where Kubernetes programs made with controller-runtime have their metrics, on loopback.
	defaultMetricsAddress = "127.0.0.1:8080"
	// defaultMaxBody holds 20,000 claims of 3 KiB (58.6 MiB) and the review around them.
	defaultMaxBody = 64 << 20
	// defaultShutdownTimeout is the time after which an API server gives up on a call: nobody waits longer.
	defaultShutdownTimeout = review.CallTimeout

	// memoryPerBodyByte is the part of the memory that big bodies may take: an eighth, as much for answers, half of it
	// again for smaller bodies, and twice as much for what is built of objects. Connections and streams take a quarter together; what
	// is left is for readers of metrics, and for what the collector has not yet swept.
	memoryPerBodyByte = 8
	// minInFlight lets single claims through however small the memory limit: an object in etcd is at most 1.5 MiB by
	// default, and an update brings two of them.
	minInFlight = 4 << 20
)

// complete checks the options and fills in the defaults that do not need the machine to be looked at later.
func (o Options) complete() (Options, error) {
	o.Groups = slices.Clone(o.Groups)
	if len(o.Groups) == 0 {
		o.Groups = []string{defaultGroup}
	}
	if err := review.Groups(o.Groups).Valid(); err != nil {
		return o, err
	}
	if o.Version.GitVersion == "" {
		o.Version = version.Get()
	}
	if o.SecurePort == 0 {
		o.SecurePort = defaultPort
	}
	if o.SecurePort > math.MaxUint16 {
		return o, fmt.Errorf("secure port %d: must be at most %d", o.SecurePort, math.MaxUint16)
	}
	if o.MetricsBindAddress == "" {
		o.MetricsBindAddress = defaultMetricsAddress
	}
	if o.Logger.GetSink() == nil {
		o.Logger = klog.Background()
	}
	o.Logger = plainlog.New(o.Logger)
	if o.ClientCAFile == "" && len(o.ClientNames) > 0 {
		return o, errors.New("names of clients are those of certificates that a client CA signed: give its file")
	}
	return o.completeBounds()
}

func (o Options) completeBounds() (Options, error) {
	switch {
	case o.MaxBodyBytes < 0:
		return o, fmt.Errorf("maximum of %d bytes in a body: must not be negative", o.MaxBodyBytes)
	case o.MaxInFlightBytes < 0:
		return o, fmt.Errorf("maximum of %d bytes in flight: must not be negative", o.MaxInFlightBytes)
	case o.MaxConnections < 0:
		return o, fmt.Errorf("maximum of %d connections: must not be negative", o.MaxConnections)
	case o.ShutdownDelay < 0:
		return o, fmt.Errorf("shutdown delay %s: must not be negative", o.ShutdownDelay)
	case o.ShutdownIdleTimeout < 0:
		return o, fmt.Errorf("shutdown idle timeout %s: must not be negative", o.ShutdownIdleTimeout)
	case o.ShutdownTimeout < 0:
		return o, fmt.Errorf("shutdown timeout %s: must not be negative", o.ShutdownTimeout)
	}
	if o.MaxBodyBytes == 0 {
		o.MaxBodyBytes = defaultMaxBody
	}
	if o.MaxInFlightBytes == 0 {
		o.MaxInFlightBytes = inFlightFor(debug.SetMemoryLimit(-1), o.MaxBodyBytes)
	}
	if o.MaxConnections == 0 {
		o.MaxConnections = connectionsFor(debug.SetMemoryLimit(-1))
	}
	o.MaxConnections = max(o.MaxConnections, 2)
	o.MaxInFlightBytes = max(o.MaxInFlightBytes, review.MinWeight)
	o.MaxBodyBytes = min(o.MaxBodyBytes, o.MaxInFlightBytes)
	if o.ShutdownTimeout == 0 {
		o.ShutdownTimeout = defaultShutdownTimeout
	}
	return o, nil
}

// inFlightFor a memory limit (GOMEMLIMIT; math.MaxInt64 when there is none, and then two of the biggest bodies fit, so
// that one of them does not shut out all others).
func inFlightFor(memoryLimit, maxBody int64) int64 {
	if memoryLimit == math.MaxInt64 {
		return max(2*maxBody, minInFlight)
	}
	return max(memoryLimit/memoryPerBodyByte, minInFlight)
}
