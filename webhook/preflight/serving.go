package preflight

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"regexp"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// serving is what a call is answered with: a certificate and its chain, or, where the server signs its own certificates, only the
// CA that it signs with.
type serving struct {
	chain     chain
	authority bool
	// from is the object that it was read from.
	from Object
}

// serving at the other end of a call. It is nil when there is nothing to see, which other checks say.
func (s *state) serving(c call) *serving {
	switch {
	case c.url != "":
		if chain := s.presented[c.url]; chain != nil {
			return &serving{chain: chain, from: c.object}
		}
		return nil
	case c.namespace != s.Namespace || c.service != name:
		return nil
	}
	source := s.certificateSource()
	secret := s.secrets[source.name]
	if secret == nil {
		return nil
	}
	chain, err := parseCertificates(secret.Data[corev1.TLSCertKey])
	if err != nil {
		return nil
	}
	return &serving{chain, source.authority, secrets.object(secret.Namespace, secret.Name)}
}

// trusted by whoever has the bundle, or the system's CAs when it is empty.
func (s *serving) trusted(bundle []*x509.Certificate, serverName string) error {
	if s.authority {
		if slices.ContainsFunc(bundle, s.chain[0].Equal) {
			return nil
		}
		return errors.New("it is not signed by any CA of the bundle")
	}
	options := x509.VerifyOptions{DNSName: serverName, Intermediates: x509.NewCertPool()}
	if len(bundle) > 0 {
		options.Roots, _ = roots(bundle)
	}
	for _, intermediate := range s.chain[1:] {
		options.Intermediates.AddCert(intermediate)
	}
	_, err := s.chain[0].Verify(options)
	return err
}

// element of a list, as fields of findings name it.
var element = regexp.MustCompile(`\[([^]]+)\]`)

// installedCA is a command that prints, in base64, a CA that fits what is served. It is empty when nothing has one.
func (s *state) installedCA() string {
	for _, c := range s.calls() {
		bundle := c.bundle()
		if _, current := roots(bundle); !current {
			continue
		}
		if served := s.serving(c); served != nil && served.trusted(bundle, c.serverName()) != nil {
			continue
		}
		return s.kubectl("get", c.object.Kind, c.object.Name, "-o", "jsonpath={."+element.ReplaceAllString(c.field, `[?(@.name=="$1")]`)+".caBundle}")
	}
	source := s.certificateSource()
	if secret := s.secrets[source.name]; secret != nil && len(secret.Data["ca.crt"]) > 0 {
		return s.inNamespace("get", "secret", source.name, "-o", `jsonpath={.data.ca\.crt}`)
	}
	return ""
}

// presented at an address (host:port) to whoever asks for a name. Whether to trust it is not decided here; nothing is sent.
func presented(ctx context.Context, address, serverName string) (chain, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	dialer := tls.Dialer{Config: &tls.Config{ServerName: serverName, InsecureSkipVerify: true}}
	connection, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	defer func() { _ = connection.Close() }()
	secure, ok := connection.(*tls.Conn)
	if !ok || len(secure.ConnectionState().PeerCertificates) == 0 {
		return nil, errors.New("no certificate is presented")
	}
	return secure.ConnectionState().PeerCertificates, nil
}
