package preflight

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"time"
)

// parseCertificates reads all certificates of PEM text. Like API servers it passes over blocks of other types.
func parseCertificates(text []byte) (all []*x509.Certificate, err error) {
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != "CERTIFICATE" {
			continue
		}
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("certificate %d of it: %w", len(all)+1, err)
		}
		all = append(all, certificate)
	}
	if len(all) == 0 {
		return nil, errors.New("there is no PEM block of type CERTIFICATE in it")
	}
	return all, nil
}

func poolOf(all []*x509.Certificate) *x509.CertPool {
	pool := x509.NewCertPool()
	for _, c := range all {
		pool.AddCert(c)
	}
	return pool
}

func isCurrent(c *x509.Certificate) bool {
	now := time.Now()
	return !now.Before(c.NotBefore) && !now.After(c.NotAfter)
}

// renewalShare is the part of a certificate's life in which it should have been replaced: cert-manager and claimbridge
// do that when a third is left, so with a tenth left something is wrong with whoever should.
const renewalShare = 10

func overdue(c *x509.Certificate) bool {
	return time.Until(c.NotAfter) < c.NotAfter.Sub(c.NotBefore)/renewalShare
}

// validity of a certificate that is not current, or will not be for long.
func validity(c *x509.Certificate) string {
	now := time.Now()
	switch {
	case now.Before(c.NotBefore):
		return "is not valid before " + date(c.NotBefore)
	case now.After(c.NotAfter):
		return "expired on " + date(c.NotAfter)
	}
	return "expires on " + date(c.NotAfter)
}

func date(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 MST") }
