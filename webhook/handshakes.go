package webhook

import (
	"log"
	"strings"

	"github.com/go-logr/logr"

	"github.com/claimbridge/claimbridge/webhook/internal/loglimit"
	"github.com/claimbridge/claimbridge/webhook/internal/metrics"
)

// errorLog returns a log for an HTTP server that counts failed handshakes. net/http reports them only as text.
func (s *Server) errorLog() *log.Logger {
	return log.New(&handshakeErrorWriter{s.metrics, s.log, loglimit.New()}, "", 0)
}

// handshakeErrorWriter counts the failed handshakes among the lines that net/http logs, and writes the lines to the
// log.
type handshakeErrorWriter struct {
	metrics *metrics.Metrics
	log     logr.Logger
	lines   *loglimit.Limiter
}

// Write implements [io.Writer].
func (h *handshakeErrorWriter) Write(line []byte) (int, error) {
	if cause, ok := strings.CutPrefix(string(line), "http: TLS handshake error from "); ok {
		h.metrics.CountHandshakeFailure(handshakeReason(cause))
	}
	if omitted, ok := h.lines.AllowLine(); ok {
		h.log.Info(strings.TrimSuffix(string(line), "\n"), "omitted", omitted)
	}
	return len(line), nil
}

// Reasons of failed handshakes, values of a label of a metric.
const (
	reasonUntrusted = "untrusted" // the client does not trust the certificate: look at the caBundle
	reasonVersion   = "version"   // client and server have no common version or cipher suite
	reasonPlain     = "plain"     // HTTP without TLS
	reasonGone      = "gone"      // the client closed the connection, as probes of load balancers do
	reasonTimeout   = "timeout"
	reasonLimit     = "limit" // the server closed the connection, because the connection limit was reached
)

// handshakeReasons maps texts of crypto/tls and net to reasons. The first match counts. A test causes each of them.
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
	{"use of closed network connection", reasonLimit},
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
