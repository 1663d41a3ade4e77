package webhooktest

import (
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"time"

	"k8s.io/client-go/util/cert"
)

// certificate for loopback, with a CA made for it.
type certificate struct {
	pair tls.Certificate
	// ca is PEM.
	ca []byte
}

func newCertificate() (certificate, error) {
	chain, key, err := cert.GenerateSelfSignedCertKey("127.0.0.1", nil, []string{"localhost"})
	if err != nil {
		return certificate{}, fmt.Errorf("make a certificate: %w", err)
	}
	pair, err := tls.X509KeyPair(chain, key)
	if err != nil {
		return certificate{}, fmt.Errorf("read the certificate: %w", err)
	}
	return certificate{pair, chain}, nil
}

func (c certificate) config() *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{c.pair}, MinVersion: tls.VersionTLS12}
}

// headerTimeout only bounds what a broken client can hold. It counts from the handshake on, and API servers keep connections for 90 s that they
// have not used yet.
const headerTimeout = 2 * time.Minute

// quiet because API servers drop connections whenever a definition changes, which is no news in a test.
var quiet = log.New(io.Discard, "", 0)
