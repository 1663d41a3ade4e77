package webhook

import (
	"crypto/tls"
	"fmt"
	"slices"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/version"
	cliflag "k8s.io/component-base/cli/flag"

	"github.com/claimbridge/claimbridge/webhook/authority"
)

// Options of a [Server]. The zero value has handlers for resource.k8s.io, and would serve on port
// 9443 of all addresses.
type Options struct {
	// Groups are the API groups whose claims are served; "*" serves any. Default: resource.k8s.io, the group that
	// the versions come from. A mirror group is the usual way beside an API server that serves the built-in API.
	Groups []string

	// KubernetesRelease whose API server judges claims of the versions that it served, such as
	// 1.34. Default, and for the other versions: the release of each version, see
	// [validation.Releases].
	KubernetesRelease string

	// BindAddress is the IP address to listen on. Default: all addresses, as a pod is reached on its own one.
	BindAddress string
	// SecurePort to listen on. Default: 9443, which controller-runtime's webhooks made customary and which needs no
	// privilege. A negative port means any free one, see [Server.Addr].
	SecurePort int

	// Certificates are where [Server.Run] has the serving certificate from: certificates.Files,
	// InMemory or InSecret. Who serves the handlers otherwise needs none.
	Certificates interface {
		Open(authority.Recorder, logr.Logger) (*authority.Source, error)
	}

	// ClientCAFile has the CAs (PEM) that sign the certificates of those who may send admission reviews: API servers
	// whose admission configuration names a client certificate. It is read again when it changes. Conversion and health
	// are open without one, as an API server has none for conversions, nor a kubelet for probes; a wrong one is refused
	// for conversions as well. Only for [Server.Run]. Default: nobody is asked.
	ClientCAFile string
	// ClientNames are the common names of certificates by ClientCAFile that may call. Default: all.
	ClientNames []string

	// TLSMinVersion by the name that Kubernetes uses: VersionTLS12 (the default, as Kubernetes has it) or
	// VersionTLS13. Older versions are refused.
	TLSMinVersion string
	// CipherSuites by their IANA names, for TLS 1.2; those of TLS 1.3 cannot be chosen. Default: Go's own.
	CipherSuites []string
	// DisableHTTP2 offers HTTP/1.1 only. Default: both. An API server uses HTTP/2 only towards localhost.
	DisableHTTP2 bool

	// MetricsBindAddress is the host:port that serves /metrics; "0" serves none. Default: 127.0.0.1:8080, plain
	// HTTP for whoever is on the machine. On any address that is not loopback it is HTTPS with the certificate above,
	// and readers are authenticated and authorized by the cluster.
	MetricsBindAddress string
	// Kubeconfig names the file that says which cluster authenticates and authorizes readers of
	// exposed metrics. Default: KUBECONFIG, the cluster that the process runs in, or
	// ~/.kube/config.
	Kubeconfig string

	// HealthProbeBindAddress is the host:port that serves /livez, /readyz and /healthz over plain HTTP, for the probes
	// of a kubelet: connections to the secure port, however many, do not keep it from an answer. "0" serves none.
	// Default: none; the secure port answers the same paths.
	HealthProbeBindAddress string

	// MaxBodyBytes of one request. Default: 64 MiB, which holds 20,000 claims of 3 KiB.
	MaxBodyBytes int64
	// MaxInFlightBytes of memory that requests in flight may take, each counted with 16 times the
	// bytes of its biggest object so far, 1 KiB for each comma in it, and 64 KiB at least. Who
	// finds none waits for a second, and is then answered with 429; what is heavier than all of it
	// works alone. Default: a quarter of GOMEMLIMIT, or 512 MiB when there is no such limit.
	MaxInFlightBytes int64
	// MaxConnections to the secure port at once. At the limit a new connection replaces one that is not in use: the
	// oldest that has not completed its first request within a second, then the one that is idle for the longest time,
	// then one whose request lasts longer than 8 s. While there is none, new connections wait in the kernel. Default:
	// one for each 512 KiB of GOMEMLIMIT, at least 128, or 4096 when there is no such limit.
	MaxConnections int

	// ShutdownDelay goes on serving after Run was asked to stop, while /readyz already fails, so that load
	// balancers can look elsewhere. Default: none, so that a terminal gets its prompt back; in a cluster a little more
	// than the period of the readiness probe.
	ShutdownDelay time.Duration
	// ShutdownIdleTimeout is how much longer, after that, connections without a request may last
	// for their callers to close them. An answer ends its connection; one that is idle nobody but
	// its caller can end without now and then losing the request that is just being sent. When no
	// connection is left the wait is over. Default: none, so that a test suite ends at once; in a
	// cluster more than the 90 s after which API servers close what is idle.
	ShutdownIdleTimeout time.Duration
	// ShutdownTimeout bounds the wait for requests in flight after that. Default: 30 s, the time after which an API
	// server gives up on a call.
	ShutdownTimeout time.Duration

	// KeepMetadata answers all callers with the whole metadata. Default: an API server, known by its user agent, gets
	// only what it reads (name, namespace, uid, labels, annotations); it restores the rest from what it sent.
	KeepMetadata bool

	// Version that /version and the metric claimbridge_build_info answer with. Default: what the
	// linker gave component-base.
	Version version.Info

	// Logger for everything the server has to say. Default: klog's, which the flags of component-base set up.
	Logger logr.Logger
}

// tlsConfig by the names of the options, without a certificate.
func (o Options) tlsConfig() (*tls.Config, error) {
	version, err := cliflag.TLSVersion(o.TLSMinVersion)
	if err != nil || version < tls.VersionTLS12 {
		return nil, fmt.Errorf("minimum TLS version %q: must be VersionTLS12 or VersionTLS13", o.TLSMinVersion)
	}
	suites, err := cliflag.TLSCipherSuites(o.CipherSuites)
	if err != nil {
		return nil, fmt.Errorf("TLS cipher suites: %w", err)
	}
	// The rule of RFC 9113, section 9.2.2, which net/http insists on.
	fit := slices.Contains(suites, tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256) ||
		slices.Contains(suites, tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256)
	if !o.DisableHTTP2 && version < tls.VersionTLS13 && len(suites) > 0 && !fit {
		return nil, fmt.Errorf("TLS cipher suites: HTTP/2 needs TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 or " +
			"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: add one, or disable HTTP/2")
	}
	return &tls.Config{MinVersion: version, CipherSuites: suites}, nil //nolint:gosec // at least TLS 1.2, see above
}
