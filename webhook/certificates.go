package webhook

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/claimbridge/claimbridge/webhook/authority"
)

// keepCertificates runs the source until ctx is done. A watcher that fails, because files were away
// while it started, is started again: the pair that it holds goes on serving.
func keepCertificates(ctx context.Context, source *authority.Source, log logr.Logger) {
	wait.UntilWithContext(logr.NewContext(ctx, log.WithName("certificates").V(2)), func(ctx context.Context) {
		if err := source.Start(ctx); err != nil && ctx.Err() == nil {
			log.Error(err, "Certificates are not watched, trying again", "after", certificateRetry)
		}
	}, certificateRetry)
}

// certificateRetry is how long to wait for a certificate, and before a watcher that failed is started again.
const certificateRetry = 10 * time.Second

// awaitCertificate until the first one is there: an authority in memory needs some milliseconds.
func awaitCertificate(ctx context.Context, source *authority.Source) error {
	err := wait.PollUntilContextTimeout(ctx, 5*time.Millisecond, certificateRetry, true,
		func(context.Context) (bool, error) {
			certificate, err := source.GetCertificate(nil)
			return err == nil && certificate != nil, nil
		})
	if err != nil {
		return fmt.Errorf("no serving certificate: %w", err)
	}
	return nil
}

var errNoCertificate = errors.New("there is no serving certificate")

// certificate that is being served.
func (s *Server) certificate() (*tls.Certificate, error) {
	source := s.source.Load()
	if source == nil {
		return nil, errNoCertificate
	}
	certificate, err := source.GetCertificate(nil)
	if err != nil || certificate == nil {
		return nil, errNoCertificate
	}
	return certificate, nil
}

// shownCertificate in a handshake: the one that is being served, or else one that nobody trusts, so
// that a kubelet, which trusts any, learns from /livez that there is no need to start again.
func (s *Server) shownCertificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	if certificate, err := s.certificate(); err == nil {
		return certificate, nil
	}
	return s.placeholder()
}

// certificateExpiry in seconds since 1970, 0 when there is no certificate.
func (s *Server) certificateExpiry() float64 {
	certificate, err := s.certificate()
	if err != nil || certificate.Leaf == nil {
		return 0
	}
	return float64(certificate.Leaf.NotAfter.Unix())
}
