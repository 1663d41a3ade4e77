package webhook

import (
	"crypto/tls"
	"fmt"

	cliflag "k8s.io/component-base/cli/flag"
)

// tlsConfig by the names of the options, without a certificate.
func (o Options) tlsConfig() (*tls.Config, error) {
	version, err := cliflag.TLSVersion(o.TLSMinVersion)
	if err != nil || version < tls.VersionTLS12 {
		return nil, fmt.Errorf("minimum TLS version %q: must be VersionTLS12 or VersionTLS13", o.TLSMinVersion)
	}
	suites, err := cliflag.TLSCipherSuites(o.CipherSuites)
	if err != nil {
		return nil, fmt.Errorf("TLS cipher suites: %w", err)
	}
	if !o.DisableHTTP2 && version < tls.VersionTLS13 && len(suites) > 0 && !fitHTTP2(suites) {
		return nil, fmt.Errorf("TLS cipher suites: HTTP/2 needs TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 or " +
			"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: add one, or disable HTTP/2")
	}
	return &tls.Config{MinVersion: version, CipherSuites: suites}, nil //nolint:gosec // at least TLS 1.2, see above
}

// fitHTTP2 is the rule of RFC 9113, section 9.2.2, which net/http insists on.
func fitHTTP2(suites []uint16) bool {
	for _, suite := range suites {
		if suite == tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 || suite == tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 {
			return true
		}
	}
	return false
}
