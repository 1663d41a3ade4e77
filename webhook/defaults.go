package webhook

import (
	"cmp"
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
	defaultPort = 9443
	// defaultMetricsAddress has the port of controller-runtime's metrics, on loopback.
	defaultMetricsAddress = "127.0.0.1:8080"
	// defaultMaxBody fits an AdmissionReview of the largest objects that an API server stores: etcd accepts 1.5 MiB by
	// default (etcd's flag --max-request-bytes), including all JSON escapes, since that is the text that an API server
	// sends. An object in an older version has at most four times that and 64 KiB, with the preserved data. An
	// AdmissionReview has two objects, so 12.2 MiB and the rest of the review.
	defaultMaxBody = 16 << 20
	// defaultShutdownTimeout is the time after which an API server cancels a call.
	defaultShutdownTimeout = review.CallTimeout

	// inFlightDivisor and connectionDivisor divide the memory limit: a quarter of it is for requests in flight, and
	// another one for connections. The program, and garbage that is not collected yet, need the rest.
	inFlightDivisor   = 4
	connectionDivisor = 4
	// defaultInFlight is the memory for requests in flight if there is no memory limit.
	defaultInFlight = 512 << 20
	// minInFlight is the memory for requests in flight with a small memory limit. The half for bodies fits one of the
	// largest.
	minInFlight = 32 << 20
	// connectionMemory is the maximum memory of an idle connection: one of HTTP/2 with its streams, or one with the
	// largest handshake that crypto/tls accepts. Other connections take 44 KiB.
	connectionMemory = 128 << 10
	// maxConnections is the largest default of the connection limit, also without a memory limit. An API server has at
	// most 600 calls in progress (--max-requests-inflight and --max-mutating-requests-inflight), so this is enough for
	// six of them.
	maxConnections = 4096
	// minConnections is the connection limit with the smallest memory limit: enough for three API servers, each of
	// which keeps 25 idle connections.
	minConnections = 128
)

// complete checks the options, and sets defaults.
func (o Options) complete() (Options, error) {
	o.Groups = slices.Clone(o.Groups)
	if len(o.Groups) == 0 {
		o.Groups = []string{api.Group}
	}
	if err := review.Groups(o.Groups).Valid(); err != nil {
		return o, err
	}
	if o.Version.GitVersion == "" {
		o.Version = version.Get()
	}
	if o.SecurePort > math.MaxUint16 {
		return o, fmt.Errorf("secure port %d: must be at most %d", o.SecurePort, math.MaxUint16)
	}
	o.SecurePort = cmp.Or(o.SecurePort, defaultPort)
	o.MetricsBindAddress = cmp.Or(o.MetricsBindAddress, defaultMetricsAddress)
	if o.Logger.GetSink() == nil {
		o.Logger = klog.Background()
	}
	o.Logger = plainlog.New(o.Logger)
	if o.ClientCAFile == "" && len(o.ClientAllowedNames) > 0 {
		return o, errors.New("names of clients require a client CA file")
	}
	return o.completeLimits()
}

func (o Options) completeLimits() (Options, error) {
	switch {
	case o.MaxRequestBytes < 0:
		return o, fmt.Errorf("maximum of %d bytes in a body: must not be negative", o.MaxRequestBytes)
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
	memoryLimit := debug.SetMemoryLimit(-1)
	o.MaxRequestBytes = cmp.Or(o.MaxRequestBytes, defaultMaxBody)
	o.MaxInFlightBytes = cmp.Or(o.MaxInFlightBytes, inFlightFor(memoryLimit))
	o.MaxConnections = cmp.Or(o.MaxConnections, connectionsFor(memoryLimit))
	o.ShutdownTimeout = cmp.Or(o.ShutdownTimeout, defaultShutdownTimeout)
	return o, nil
}

// inFlightFor returns the memory for requests in flight for a memory limit, which is GOMEMLIMIT, or math.MaxInt64 if
// there is none.
func inFlightFor(memoryLimit int64) int64 {
	if memoryLimit == math.MaxInt64 {
		return defaultInFlight
	}
	return max(memoryLimit/inFlightDivisor, minInFlight)
}

// connectionsFor returns the connection limit for a memory limit. Connections can use a quarter of the memory: 1,024
// connections with the memory limit of the manifests.
func connectionsFor(memoryLimit int64) int {
	return int(min(max(memoryLimit/connectionDivisor/connectionMemory, minConnections), maxConnections))
}
