package config

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
)

// checkCA tells what a caBundle must not be: blank, no PEM, something else than certificates. An API server takes white
// space for "trust what the system trusts", which no webhook's CA is, and what it cannot parse makes every call fail.
func checkCA(bundle []byte) error {
	count := 0
	for rest := bundle; ; count++ {
		var block *pem.Block
		block, rest = pem.Decode(rest)
		if block == nil {
			if strings.TrimSpace(string(rest)) != "" {
				return fmt.Errorf("CA: there is something that is not PEM after %d certificates", count)
			}
			break
		}
		if block.Type != "CERTIFICATE" {
			return fmt.Errorf("CA: it has a block of type %q; give certificates only, and never a private key",
				block.Type)
		}
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return fmt.Errorf("CA: certificate %d: %w", count+1, err)
		}
		if certificate.BasicConstraintsValid && !certificate.IsCA {
			return fmt.Errorf("CA: certificate %d (%s) is no CA: give the certificate that signed it", count+1,
				certificate.Subject)
		}
	}
	if count == 0 {
		return errors.New("CA: there is no certificate in it")
	}
	return nil
}
