package webhook

import (
	"crypto/tls"
	"fmt"
	"slices"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/version"
	cliflag "k8s.io/component-base/cli/flag"
)

// Options of a [Server]. The zero value is usable for the handlers. [Server.Run] also needs Certificates.
type Options struct {
	// Groups are the API groups whose claims are served. "*" serves any group. If the API server serves
	// resource.k8s.io itself, use another group. Default: resource.k8s.io.
	Groups []string

	// KubernetesRelease is the release whose rules apply to claims of the versions that it served, such as 1.34. Claims
	// of other versions are validated by the default release of their version, see [validation.Releases]. Default: the
	// default release of each version.
	KubernetesRelease string

	// BindAddress is the IP address to listen on. Default: all addresses.
	BindAddress string
	// SecurePort is the port to listen on. A negative port means any free one, see [Server.Addr]. Default: 9443, as in
	// controller-runtime.
	SecurePort int

	// Certificates is the source of the serving certificate. [Server.Run] requires it; a program that serves the
	// handlers itself does not. Package certs has sources for files, for memory and for a Secret that replicas share.
	// The metrics server also serves the metrics of a source that is a [prometheus.Collector].
	Certificates CertificateSource

	// ClientCAFile is a file of CAs (PEM) that sign the certificates of clients that may send admission reviews: API
	// servers whose admission configuration names a client certificate. It is read again when it changes. Conversion
	// requires no certificate, because API servers have none for it, but rejects an invalid one. Health endpoints accept
	// any client, because kubelets have no certificate. Only for [Server.Run]. Default: no client needs a certificate.
	ClientCAFile string
	// ClientAllowedNames are the common names of client certificates that are allowed. Default: all that ClientCAFile
	// signed.
	ClientAllowedNames []string

	// TLSMinVersion is VersionTLS12 or VersionTLS13, as in Kubernetes. Default: VersionTLS12.
	TLSMinVersion string
	// CipherSuites are the IANA names of the cipher suites for TLS 1.2. Those of TLS 1.3 are not configurable. Default:
	// those of Go.
	CipherSuites []string
	// DisableHTTP2 offers HTTP/1.1 only. An API server uses HTTP/2 only with localhost.
	DisableHTTP2 bool

	// MetricsBindAddress is the host:port that serves /metrics; "0" disables it. On a loopback address it is plain HTTP
	// without authentication. On any other address it is HTTPS with Certificates, and the cluster authenticates and
	// authorizes clients. Default: 127.0.0.1:8080.
	MetricsBindAddress string
	// Kubeconfig is the file that names the cluster for the authentication of metrics clients. Default: KUBECONFIG, the
	// cluster that the process runs in, or ~/.kube/config.
	Kubeconfig string

	// HealthProbeBindAddress is the host:port that serves /livez, /readyz and /healthz over plain HTTP, for kubelets.
	// It responds however many connections the secure port has, which serves the same paths. Default: "0", none.
	HealthProbeBindAddress string

	// MaxRequestBytes is the maximum size of a request body. Default: 16 MiB, which holds an AdmissionReview of two claims
	// of the largest size that an API server stores.
	MaxRequestBytes int64
	// MaxInFlightBytes limits the memory of requests in flight. One half is for the bodies that have arrived and for
	// responses. The other half is for the work on complete bodies: each reserves 256 KiB and 400 times its size. A
	// request reserves at most three quarters of each half, so that large requests run one at a time. A request waits
	// for memory for a second, and then gets 429. Default: a quarter of GOMEMLIMIT, at least 32 MiB. 512 MiB if
	// GOMEMLIMIT is not set.
	MaxInFlightBytes int64
	// MaxConnections limits the connections to the secure port. At the limit, a new connection replaces, in this order:
	// the oldest connection that has not completed its first request within a second; the connection that has been
	// idle longest, for at least a second; the connection whose request has run longest, for more than 8 s. While there
	// is no such connection, new connections wait in the kernel. Default: one per 512 KiB of GOMEMLIMIT, at least 128
	// and at most 4096. 4096 if GOMEMLIMIT is not set.
	MaxConnections int

	// ShutdownDelay is how long Run continues to serve after its context is done, while /readyz fails, so that clients
	// choose another replica. In a cluster, set a little more than the period of the readiness probe. Default: 0.
	ShutdownDelay time.Duration
	// ShutdownIdleTimeout is how long, after ShutdownDelay, Run waits for clients to close idle connections. A server
	// that closes an idle connection can lose a request that is being sent. Connections with a request are closed after
	// the response. In a cluster, set more than the 90 s after which API servers close idle connections. Default: 0.
	ShutdownIdleTimeout time.Duration
	// ShutdownTimeout is how long, after ShutdownIdleTimeout, Run waits for requests in flight. Default: 30 s, the
	// longest timeout of an API server for a call.
	ShutdownTimeout time.Duration

	// KeepMetadata returns the complete metadata of converted objects to all clients. By default an API server, which
	// is recognized by its user agent, gets only the metadata that it reads: name, namespace, uid, labels and
	// annotations. It restores the rest from the object that it sent.
	KeepMetadata bool

	// Version is the version for /version and for the metric claimbridge_build_info. Default: that of component-base,
	// which the linker sets.
	Version version.Info

	// Logger of the server. Default: klog's, which the flags of component-base configure.
	Logger logr.Logger
}

// tlsConfig returns the TLS configuration of the options, without a certificate.
func (o Options) tlsConfig() (*tls.Config, error) {
	version, err := cliflag.TLSVersion(o.TLSMinVersion)
	if err != nil || version < tls.VersionTLS12 {
		return nil, fmt.Errorf("minimum TLS version %q: must be VersionTLS12 or VersionTLS13", o.TLSMinVersion)
	}
	suites, err := cliflag.TLSCipherSuites(o.CipherSuites)
	if err != nil {
		return nil, fmt.Errorf("TLS cipher suites: %w", err)
	}
	// net/http enforces this rule of RFC 9113, section 9.2.2.
	hasHTTP2Suite := slices.Contains(suites, tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256) ||
		slices.Contains(suites, tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256)
	if !o.DisableHTTP2 && version < tls.VersionTLS13 && len(suites) > 0 && !hasHTTP2Suite {
		return nil, fmt.Errorf("TLS cipher suites: HTTP/2 needs TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 or " +
			"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: add one, or disable HTTP/2")
	}
	return &tls.Config{MinVersion: version, CipherSuites: suites}, nil //nolint:gosec // at least TLS 1.2, see above
}
