package config

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
)

// checkCA returns an error for a caBundle that is blank, not PEM, or does not consist of certificates. An API server
// treats white space as the system's CAs, which don't include a webhook's CA. If it can't parse a caBundle, every call
// fails.
func checkCA(bundle []byte) error {
	count := 0
	for rest := bundle; ; count++ {
		var block *pem.Block
		block, rest = pem.Decode(rest)
		if block == nil {
			isBlank := strings.TrimSpace(string(rest)) == ""
			if !isBlank && count == 0 {
				return errors.New("CA: not PEM")
			}
			if !isBlank {
				return fmt.Errorf("CA: invalid PEM after certificate %d", count)
			}
			break
		}
		if block.Type != "CERTIFICATE" {
			return fmt.Errorf("CA: block of type %q: must contain only certificates, never a private key",
				block.Type)
		}
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return fmt.Errorf("CA: certificate %d: %w", count+1, err)
		}
		if certificate.BasicConstraintsValid && !certificate.IsCA {
			return fmt.Errorf("CA: certificate %d (%s) is not a CA: use the certificate that signed it", count+1,
				certificate.Subject)
		}
	}
	if count == 0 {
		return errors.New("CA: contains no certificate")
	}
	return nil
}
