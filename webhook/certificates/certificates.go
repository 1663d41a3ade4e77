// Package certificates has the ways in which a webhook server gets its certificate: from files,
// from a CA in memory, and from a CA in the Secret that replicas share. Their libraries bring many
// modules, which who serves the handlers otherwise does not get.
package certificates

import (
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

	"github.com/claimbridge/claimbridge/webhook/authority"
)

// pollInterval finds what the watcher of files misses: when a mounted Secret changes, links are
// swapped and the file that was watched goes away.
const pollInterval = 2 * time.Second

// Files in PEM: a certificate and its chain, and its private key. They are read again when they
// change; a pair that does not fit together never replaces one that does. The watcher logs through
// controller-runtime's log.SetLogger, which a program calls once.
type Files struct{ CertFile, KeyFile string }

// Folder has the files by the names that a mounted Secret has.
func Folder(path string) Files {
	return Files{filepath.Join(path, "tls.crt"), filepath.Join(path, "tls.key")}
}

// Open the files: they must be there.
func (f Files) Open(recorder authority.Recorder, log logr.Logger) (*authority.Source, error) {
	watcher, err := certwatcher.New(f.CertFile, f.KeyFile)
	if err != nil {
		return nil, fmt.Errorf("read the serving certificate %s with key %s: %w", f.CertFile, f.KeyFile, err)
	}
	watcher.RegisterCallback(func(taken tls.Certificate) {
		recorder.Signed()
		log.Info("Took a serving certificate", "file", f.CertFile, "names", taken.Leaf.DNSNames,
			"notAfter", taken.Leaf.NotAfter)
	})
	return &authority.Source{
		Keeper:     watcher.WithWatchInterval(pollInterval),
		Collectors: []prometheus.Collector{certmetrics.ReadCertificateTotal, certmetrics.ReadCertificateErrors},
	}, nil
}

// InMemory is a CA that lasts as long as the process does.
type InMemory struct {
	// DNSNames of the certificate, beside localhost, 127.0.0.1 and ::1: for a service its <name>.<namespace>.svc.
	DNSNames []string
	// CAFile is where the certificate of the CA is written (PEM), for curl --cacert or a caBundle.
	// It is replaced in one step. Empty: nowhere.
	CAFile string
}

// Open makes the CA.
func (m InMemory) Open(recorder authority.Recorder, _ logr.Logger) (*authority.Source, error) {
	memory, err := authority.NewMemory(recorder.Signed)
	if err != nil {
		return nil, err
	}
	if m.CAFile != "" {
		if err := writeCA(m.CAFile, memory.PEM()); err != nil {
			return nil, err
		}
	}
	recorder.CA(memory.CA().NotAfter)
	return &authority.Source{Keeper: signedBy(memory, m.DNSNames)}, nil
}

// signedBy an authority, for localhost and names.
func signedBy(by certmanagertls.Authority, names []string) authority.Keeper {
	names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == "localhost" })
	return &certmanagertls.DynamicSource{DNSNames: append([]string{"localhost"}, names...), Authority: by}
}
