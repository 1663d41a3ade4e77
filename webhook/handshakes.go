package webhook

import (
	"crypto/tls"
	"fmt"
	"log"
	"slices"
	"strings"

	"github.com/go-logr/logr"
	cliflag "k8s.io/component-base/cli/flag"

	"github.com/claimbridge/claimbridge/webhook/internal/loglimit"
	"github.com/claimbridge/claimbridge/webhook/internal/metrics"
)

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
	fit := slices.Contains(suites, tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256) || slices.Contains(suites, tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256)
	if !o.DisableHTTP2 && version < tls.VersionTLS13 && len(suites) > 0 && !fit {
		return nil, fmt.Errorf("TLS cipher suites: HTTP/2 needs TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 or " +
			"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: add one, or disable HTTP/2")
	}
	return &tls.Config{MinVersion: version, CipherSuites: suites}, nil //nolint:gosec // at least TLS 1.2, see above
}

// errorLog of an HTTP server counts the handshakes that failed. net/http reports them only in words.
func (s *Server) errorLog() *log.Logger {
	return log.New(&handshakes{s.metrics, s.log, loglimit.New()}, "", 0)
}

type handshakes struct {
	metrics *metrics.Metrics
	log     logr.Logger
	lines   *loglimit.Limit
}

func (h *handshakes) Write(line []byte) (int, error) {
	if cause, ok := strings.CutPrefix(string(line), "http: TLS handshake error from "); ok {
		h.metrics.HandshakeFailed(handshakeReason(cause))
	}
	if omitted, ok := h.lines.Admit(); ok {
		h.log.Info(strings.TrimSuffix(string(line), "\n"), "omitted", omitted)
	}
	return len(line), nil
}

// Reasons why a handshake failed, labels of a metric.
const (
	reasonUntrusted = "untrusted" // the caller does not trust the certificate: look at the caBundle
	reasonVersion   = "version"   // no version or cipher suite that both know
	reasonPlain     = "plain"     // HTTP without TLS
	reasonGone      = "gone"      // the caller went away: probes of load balancers do
	reasonTimeout   = "timeout"
)

// handshakeReasons by what crypto/tls and net say, the first that is found; a test makes each of them happen.
var handshakeReasons = []struct{ text, reason string }{
	{"remote error: tls: bad certificate", reasonUntrusted},
	{"remote error: tls: unknown certificate", reasonUntrusted}, // and "unknown certificate authority"
	{"remote error: tls: expired certificate", reasonUntrusted},
	{"remote error: tls: protocol version", reasonVersion},
	{"unsupported versions", reasonVersion},
	{"no cipher suite supported", reasonVersion},
	{"client sent an HTTP request to an HTTPS server", reasonPlain},
	{"does not look like a TLS handshake", reasonPlain},
	{"i/o timeout", reasonTimeout},
	{"EOF", reasonGone},
	{"reset by peer", reasonGone},
	{"broken pipe", reasonGone},
}

func handshakeReason(cause string) string {
	for _, known := range handshakeReasons {
		if strings.Contains(cause, known.text) {
			return known.reason
		}
	}
	return metrics.Other
}
