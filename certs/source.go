package certs

import (
	"context"
	"crypto/tls"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	certmanagertls "github.com/cert-manager/cert-manager/pkg/server/tls"
	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	"sigs.k8s.io/controller-runtime/pkg/certwatcher"
	certmetrics "sigs.k8s.io/controller-runtime/pkg/certwatcher/metrics"
)

// Source is a serving certificate that is kept up to date. It implements [prometheus.Collector] for the metrics
// claimbridge_certificate_changes_total, claimbridge_ca_not_after_timestamp_seconds and
// claimbridge_ca_bundle_mismatch, and for those of the library that it uses.
type Source struct {
	renewer
	collectors []prometheus.Collector
}

// renewer is a library's source of a certificate.
type renewer interface {
	// GetCertificate returns the certificate for a handshake. It returns nil or an error while there is none.
	GetCertificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error)
	// Start keeps the certificate up to date until ctx is done.
	Start(ctx context.Context) error
}

// Describe implements [prometheus.Collector].
func (s *Source) Describe(descriptions chan<- *prometheus.Desc) {
	for _, c := range s.collectors {
		c.Describe(descriptions)
	}
}

// Collect implements [prometheus.Collector].
func (s *Source) Collect(metrics chan<- prometheus.Metric) {
	for _, c := range s.collectors {
		c.Collect(metrics)
	}
}

// pollInterval is how often files are read. The watcher of files misses a change of a mounted Secret, whose symbolic
// links are replaced together with the file that was watched.
const pollInterval = 2 * time.Second

// Files are PEM files with a certificate and its chain, and with its private key. They are read again when they change.
// A pair that does not match is ignored, and the previous pair stays in use. The watcher logs through
// controller-runtime's log.SetLogger, which a program calls once.
type Files struct{ CertFile, KeyFile string }

// FilesInDir returns the files of a directory that have the names of a mounted Secret: tls.crt and tls.key.
func FilesInDir(dir string) Files {
	return Files{filepath.Join(dir, "tls.crt"), filepath.Join(dir, "tls.key")}
}

// Open reads the files. It returns an error if they do not exist or do not match.
func (f Files) Open(log logr.Logger) (*Source, error) {
	watcher, err := certwatcher.New(f.CertFile, f.KeyFile)
	if err != nil {
		return nil, fmt.Errorf("read the serving certificate %s with key %s: %w", f.CertFile, f.KeyFile, err)
	}
	metrics := newMetrics()
	watcher.RegisterCallback(func(loaded tls.Certificate) {
		metrics.countServingCertificate()
		log.Info("Loaded a serving certificate", "file", f.CertFile, "names", loaded.Leaf.DNSNames,
			"notAfter", loaded.Leaf.NotAfter)
	})
	return &Source{
		renewer: watcher.WithWatchInterval(pollInterval),
		collectors: []prometheus.Collector{
			metrics, certmetrics.ReadCertificateTotal, certmetrics.ReadCertificateErrors,
		},
	}, nil
}

// InMemory is a CA that lasts as long as the process.
type InMemory struct {
	// DNSNames are the names in the certificate, in addition to localhost, 127.0.0.1 and ::1. For a Service:
	// <name>.<namespace>.svc.
	DNSNames []string
	// CAFile is the file to write the certificate of the CA to (PEM), for curl --cacert or a caBundle. It is replaced
	// atomically. Empty: no file is written.
	CAFile string
}

// Open generates the CA and a certificate, which is available immediately.
func (m InMemory) Open(logr.Logger) (*Source, error) {
	metrics := newMetrics()
	memory, err := newMemoryCA(metrics.countServingCertificate)
	if err != nil {
		return nil, err
	}
	if m.CAFile != "" {
		if err := writeCA(m.CAFile, encodeCertificates(memory.certificate)); err != nil {
			return nil, err
		}
	}
	metrics.recordSigningCA(memory.certificate.NotAfter)
	names := dnsNames(m.DNSNames)
	first, err := memory.firstCertificate(names)
	if err != nil {
		return nil, err
	}
	source := &certmanagertls.DynamicSource{DNSNames: names, Authority: memory}
	return &Source{renewer: &memorySource{source, first}, collectors: []prometheus.Collector{metrics}}, nil
}

// memorySource returns the first certificate until Start has signed another one.
type memorySource struct {
	*certmanagertls.DynamicSource
	first *tls.Certificate
}

// GetCertificate returns the certificate for a handshake.
func (s *memorySource) GetCertificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	if certificate, err := s.DynamicSource.GetCertificate(hello); err == nil && certificate != nil {
		return certificate, nil
	}
	return s.first, nil
}

// dnsNames returns the names in a certificate: localhost and the configured names.
func dnsNames(configured []string) []string {
	configured = slices.DeleteFunc(slices.Clone(configured), func(name string) bool { return name == "localhost" })
	return append([]string{"localhost"}, configured...)
}
