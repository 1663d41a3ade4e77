package webhooktest

import (
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"time"

	"k8s.io/client-go/util/cert"
)

// newCertificate returns a certificate for loopback addresses, and its CA as PEM.
func newCertificate() (serving *tls.Config, ca []byte, err error) {
	chain, key, err := cert.GenerateSelfSignedCertKey("127.0.0.1", nil, []string{"localhost"})
	if err != nil {
		return nil, nil, fmt.Errorf("generate a certificate: %w", err)
	}
	pair, err := tls.X509KeyPair(chain, key)
	if err != nil {
		return nil, nil, fmt.Errorf("read the certificate: %w", err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, chain, nil
}

// headerTimeout limits how long a broken client can hold a connection. It starts with the handshake. API servers keep
// unused connections for 90 s.
const headerTimeout = 2 * time.Minute

// discardLog discards errors of connections, because API servers close connections whenever a definition changes.
var discardLog = log.New(io.Discard, "", 0)
