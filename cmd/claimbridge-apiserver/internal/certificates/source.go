// Package certificates keeps the serving certificate of a server that is given none: signed by a CA that all replicas share in a
// Secret, and that is published in the caBundle of the APIServices which lead to them.
package certificates

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"sync"
	"time"

	certmanagertls "github.com/cert-manager/cert-manager/pkg/server/tls"
	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apiserver/pkg/server/dynamiccertificates"
	"k8s.io/klog/v2"
)

const (
	// first certificate: how long a start waits for it. The CA is there or is made within some requests.
	first = 10 * time.Second
	// look for a new certificate this often: one is made every few days, and the old one is good for as long again.
	look = time.Second
	// retry the authority after this long, if it fails to run.
	retry = 10 * time.Second
)

// Source is what the generic server takes as SecureServingOptions.ServerCert.GeneratedCert, and runs by itself. Until the first
// certificate is signed every handshake fails.
type Source struct {
	name   string
	signed *certmanagertls.DynamicSource

	begin sync.Once

	mutex     sync.Mutex
	taken     *tls.Certificate
	cert, key []byte
	listeners []dynamiccertificates.Listener
}

var (
	_ dynamiccertificates.CertKeyContentProvider = &Source{}
	_ dynamiccertificates.ControllerRunner       = &Source{}
)

// New source of certificates for some names, which an authority signs.
func New(authority certmanagertls.Authority, name string, dnsNames []string) *Source {
	return &Source{name: name, signed: &certmanagertls.DynamicSource{DNSNames: dnsNames, Authority: authority}}
}

// Name of the source, for logs.
func (s *Source) Name() string { return s.name }

// CurrentCertKeyContent as PEM; nothing when there is no certificate yet.
func (s *Source) CurrentCertKeyContent() (cert, key []byte) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.cert, s.key
}

// AddListener who hears of each new certificate.
func (s *Source) AddListener(listener dynamiccertificates.Listener) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.listeners = append(s.listeners, listener)
}

// sign until ctx is done.
func (s *Source) sign(ctx context.Context) {
	log := klog.FromContext(ctx).WithName("certificates")
	go wait.UntilWithContext(logr.NewContext(ctx, log.V(2)), func(ctx context.Context) {
		if err := s.signed.Start(ctx); err != nil && ctx.Err() == nil {
			log.Error(err, "No certificates are signed, trying again", "after", retry)
		}
	}, retry)
}

// RunOnce has the first certificate signed, before the server listens. Where that takes too long the server starts without.
func (s *Source) RunOnce(ctx context.Context) error {
	s.begin.Do(func() { s.sign(ctx) })
	return wait.PollUntilContextTimeout(ctx, 10*time.Millisecond, first, true, func(context.Context) (bool, error) {
		_, err := s.take()
		cert, _ := s.CurrentCertKeyContent()
		return cert != nil, err
	})
}

// Run the authority and take what it signs, until ctx is done.
func (s *Source) Run(ctx context.Context, _ int) {
	s.begin.Do(func() { s.sign(ctx) })
	log := klog.FromContext(ctx).WithName("certificates")
	wait.UntilWithContext(ctx, func(context.Context) {
		switch taken, err := s.take(); {
		case err != nil:
			log.Error(err, "Could not take a serving certificate")
		case taken != nil:
			log.Info("Took a serving certificate", "names", taken.Leaf.DNSNames, "notAfter", taken.Leaf.NotAfter)
		}
	}, look)
}

// take a certificate that is new, and tell.
func (s *Source) take() (*tls.Certificate, error) {
	signed, err := s.signed.GetCertificate(nil)
	if err != nil || signed == nil {
		return nil, nil // there is none yet
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if signed == s.taken {
		return nil, nil
	}
	key, err := x509.MarshalPKCS8PrivateKey(signed.PrivateKey)
	if err != nil {
		return nil, fmt.Errorf("the key of the serving certificate: %w", err)
	}
	var chain []byte
	for _, certificate := range signed.Certificate {
		chain = append(chain, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate})...)
	}
	s.taken, s.cert, s.key = signed, chain, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})
	for _, listener := range s.listeners {
		listener.Enqueue()
	}
	return signed, nil
}
