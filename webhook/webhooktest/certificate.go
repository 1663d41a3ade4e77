package webhooktest

import (
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"time"

	"k8s.io/client-go/util/cert"
)

// newCertificate for loopback, and the CA made for it, as PEM.
func newCertificate() (serving *tls.Config, ca []byte, err error) {
	chain, key, err := cert.GenerateSelfSignedCertKey("127.0.0.1", nil, []string{"localhost"})
	if err != nil {
		return nil, nil, fmt.Errorf("make a certificate: %w", err)
	}
	pair, err := tls.X509KeyPair(chain, key)
	if err != nil {
		return nil, nil, fmt.Errorf("read the certificate: %w", err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, chain, nil
}

// headerTimeout only bounds what a broken client can hold. It counts from the handshake on, and API
// servers keep connections for 90 s that they have not used yet.
const headerTimeout = 2 * time.Minute

// quiet because API servers drop connections whenever a definition changes, which is no news in a test.
var quiet = log.New(io.Discard, "", 0)
