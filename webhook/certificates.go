package webhook

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"slices"
	"time"

	certmanagertls "github.com/cert-manager/cert-manager/pkg/server/tls"
	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/certwatcher"

	"github.com/claimbridge/claimbridge/webhook/authority"
)

// certificateSource keeps a serving certificate: controller-runtime's watcher of files, which takes only pairs that
// fit together, or cert-manager's source that asks an authority.
type certificateSource interface {
	// GetCertificate for a handshake. It may be nil or an error when there is none yet.
	GetCertificate(*tls.ClientHelloInfo) (*tls.Certificate, error)
	// Start keeps the certificate up to date until ctx is done.
	Start(ctx context.Context) error
}

var (
	_ certificateSource        = &certwatcher.CertWatcher{}
	_ certificateSource        = &certmanagertls.DynamicSource{}
	_ certmanagertls.Authority = &authority.Memory{}
	_ certmanagertls.Authority = &authority.Shared{}
)

// newCertificateSource from files, from the CA in the Secret that replicas share, or from a CA of its own.
func (s *Server) newCertificateSource() (certificateSource, error) {
	o := s.options
	switch {
	case o.CertFile != "":
		source, err := certwatcher.New(o.CertFile, o.KeyFile)
		if err != nil {
			return nil, fmt.Errorf("read the serving certificate %s with key %s: %w", o.CertFile, o.KeyFile, err)
		}
		source.RegisterCallback(func(taken tls.Certificate) {
			s.metrics.Signed()
			s.log.Info("Took a serving certificate", "file", o.CertFile, "names", taken.Leaf.DNSNames, "notAfter", taken.Leaf.NotAfter)
		})
		return source.WithWatchInterval(certificatePoll), nil
	case o.CertificateSecret != "":
		shared, err := s.newSharedAuthority()
		if err != nil {
			return nil, err
		}
		return o.signedBy(shared), nil
	}
	memory, err := authority.NewMemory(s.metrics.Signed)
	if err != nil {
		return nil, err
	}
	if o.CAFile != "" {
		if err := writeCA(o.CAFile, memory.PEM()); err != nil {
			return nil, err
		}
	}
	s.metrics.CA(memory.CA().NotAfter)
	return o.signedBy(memory), nil
}

func (o Options) signedBy(authority certmanagertls.Authority) certificateSource {
	names := slices.DeleteFunc(slices.Clone(o.DNSNames), func(n string) bool { return n == "localhost" })
	return &certmanagertls.DynamicSource{DNSNames: append([]string{"localhost"}, names...), Authority: authority}
}

// keepCertificates runs the source until ctx is done. A watcher that fails, because files were away while it started, is
// started again: the pair that it holds goes on serving.
func keepCertificates(ctx context.Context, source certificateSource, log logr.Logger) {
	wait.UntilWithContext(logr.NewContext(ctx, log.WithName("certificates").V(2)), func(ctx context.Context) {
		if err := source.Start(ctx); err != nil && ctx.Err() == nil {
			log.Error(err, "Certificates are not watched, trying again", "after", certificateRetry)
		}
	}, certificateRetry)
}

const (
	// certificatePoll finds what the watcher of files misses: when a mounted Secret changes, links are swapped and the
	// file that was watched goes away.
	certificatePoll = 2 * time.Second
	// certificateRetry is how long to wait for a certificate, and before a watcher that failed is started again.
	certificateRetry = 10 * time.Second
)

// awaitCertificate until the first one is there: an authority in memory needs some milliseconds.
func awaitCertificate(ctx context.Context, source certificateSource) error {
	err := wait.PollUntilContextTimeout(ctx, 5*time.Millisecond, certificateRetry, true, func(context.Context) (bool, error) {
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
	certificate, err := (*source).GetCertificate(nil)
	if err != nil || certificate == nil {
		return nil, errNoCertificate
	}
	return certificate, nil
}

// shownCertificate in a handshake: the one that is being served, or else one that nobody trusts, so that a kubelet, which
// trusts any, learns from /livez that there is no need to start anew.
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
