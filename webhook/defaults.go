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
	// defaultMetricsAddress is where Kubernetes programs made with controller-runtime have their metrics, on loopback.
	defaultMetricsAddress = "127.0.0.1:8080"
	// defaultMaxBody holds an AdmissionReview of the largest objects that an API server stores: etcd accepts 1.5 MiB by
	// default (--max-request-bytes), including all JSON escapes, since that is the text that an API server sends. An
	// object in an older version has at most four times that and 64 KiB, with the preserved data. An AdmissionReview
	// has two objects, so 12.2 MiB and the rest of the review.
	defaultMaxBody = 16 << 20
	// defaultShutdownTimeout is the time after which an API server cancels a call.
	defaultShutdownTimeout = review.CallTimeout

	// inFlightPart of the memory limit is for requests in flight. Another quarter is for connections, one for the
	// program, and one for garbage that the collector has not swept yet.
	inFlightPart = 4
	// defaultInFlight is used without a memory limit.
	defaultInFlight = 512 << 20
	// minInFlight is used under a small memory limit. Half of it is for bodies, and holds one of the largest.
	minInFlight = 32 << 20
	// connectionMemory is what an idle connection takes at most, one of HTTP/2 with its streams, or
	// one whose handshake was of the longest that crypto/tls takes; others take 44 KiB.
	connectionMemory = 128 << 10
	// mostConnections where no memory limit is set. An API server has at most 600 calls in progress
	// (--max-requests-inflight and --max-mutating-requests-inflight), so this is room for six of them at their worst.
	mostConnections = 4096
	// fewestConnections under the smallest memory limit: three API servers with the 25 idle
	// connections that each keeps.
	fewestConnections = 128
)

// complete checks the options and fills in the defaults that do not need the machine to be looked at later.
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
	if o.ClientCAFile == "" && len(o.ClientNames) > 0 {
		return o, errors.New("names of clients require a client CA file")
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
	memoryLimit := debug.SetMemoryLimit(-1)
	o.MaxBodyBytes = cmp.Or(o.MaxBodyBytes, defaultMaxBody)
	o.MaxInFlightBytes = cmp.Or(o.MaxInFlightBytes, inFlightFor(memoryLimit))
	o.MaxConnections = cmp.Or(o.MaxConnections, connectionsFor(memoryLimit))
	o.ShutdownTimeout = cmp.Or(o.ShutdownTimeout, defaultShutdownTimeout)
	return o, nil
}

// inFlightFor a memory limit: GOMEMLIMIT, math.MaxInt64 when there is none.
func inFlightFor(memoryLimit int64) int64 {
	if memoryLimit == math.MaxInt64 {
		return defaultInFlight
	}
	return max(memoryLimit/inFlightPart, minInFlight)
}

// connectionsFor a memory limit: a quarter of it, 1,024 under that of the manifests.
func connectionsFor(memoryLimit int64) int {
	return int(min(max(memoryLimit/4/connectionMemory, fewestConnections), mostConnections))
}
