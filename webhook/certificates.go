package webhook

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/util/wait"
)

// CertificateSource is the source of a serving certificate. controller-runtime's certwatcher.CertWatcher and
// cert-manager's sources implement it, too.
type CertificateSource interface {
	// GetCertificate returns the certificate for a handshake. It returns nil or an error while there is none.
	GetCertificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error)
	// Start keeps the certificate up to date until ctx is done.
	Start(ctx context.Context) error
}

// certificateRetry is the pause before a source that failed is started again.
const certificateRetry = 10 * time.Second

// runCertificateSource runs the source until ctx is done. It restarts a source that fails, for example because the
// files were missing when it started. Meanwhile the source's last certificate stays in use.
func runCertificateSource(ctx context.Context, source CertificateSource, log logr.Logger) {
	wait.UntilWithContext(logr.NewContext(ctx, log.WithName("certificates").V(2)), func(ctx context.Context) {
		if err := source.Start(ctx); err != nil && ctx.Err() == nil {
			log.Error(err, "Cannot watch certificates, retrying", "after", certificateRetry)
		}
	}, certificateRetry)
}

var errNoCertificate = errors.New("no serving certificate")

// certificate returns the serving certificate.
func (s *Server) certificate() (*tls.Certificate, error) {
	if s.options.Certificates == nil {
		return nil, errNoCertificate
	}
	certificate, err := s.options.Certificates.GetCertificate(&tls.ClientHelloInfo{})
	if err != nil || certificate == nil {
		return nil, errNoCertificate
	}
	return certificate, nil
}

// certificateOrPlaceholder returns the certificate for a handshake. While there is none, it returns one that no client
// trusts. Probes of the secure port, which don't verify certificates, can then still read /livez and /readyz.
func (s *Server) certificateOrPlaceholder(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	if certificate, err := s.certificate(); err == nil {
		return certificate, nil
	}
	return s.placeholder()
}

// certificateExpiry returns the end of the serving certificate in seconds since 1970, or 0 if there is none.
func (s *Server) certificateExpiry() float64 {
	certificate, err := s.certificate()
	if err != nil || certificate.Leaf == nil {
		return 0
	}
	return float64(certificate.Leaf.NotAfter.Unix())
}

// newPlaceholder generates a self-signed certificate for a name that does not exist.
func newPlaceholder() (*tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		DNSNames:  []string{"placeholder.invalid"},
		NotBefore: time.Now().Add(-time.Hour),
		NotAfter:  time.Now().Add(7 * 24 * time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}
