package preflight

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// chain of certificates, leaf first.
type chain = []*x509.Certificate

// serving is what a call is answered with: a certificate and its chain, or, where the server signs
// its own certificates, only the CA that it signs with.
type serving struct {
	chain     chain
	authority bool
	// from is the object that it was read from.
	from Object
}

// serving at the other end of a call. It is nil when there is nothing to see, which other checks say.
func (s *state) serving(c call) *serving {
	source, served := s.certificateSource(), serving{chain: s.presented[c.url], from: c.object}
	if secret := s.secrets[source.name]; secret != nil && s.isCalled(c) {
		served.chain, _ = parseCertificates(secret.Data[corev1.TLSCertKey])
		served.authority, served.from = source.authority, secrets.object(secret.Namespace, secret.Name)
	}
	if served.chain == nil {
		return nil
	}
	return &served
}

// trusted by whoever has the bundle, or the system's CAs when it is empty.
func (s *serving) trusted(bundle []*x509.Certificate, serverName string) error {
	if s.authority {
		if slices.ContainsFunc(bundle, s.chain[0].Equal) {
			return nil
		}
		return errors.New("it is not signed by any CA of the bundle")
	}
	options := x509.VerifyOptions{DNSName: serverName, Intermediates: poolOf(s.chain[1:])}
	if len(bundle) > 0 {
		options.Roots = poolOf(bundle)
	}
	_, err := s.chain[0].Verify(options)
	return err
}

// presented at an address (host:port) to whoever asks for a name. Whether to trust it is not
// decided here; nothing is sent.
func presented(ctx context.Context, address, serverName string) (chain, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	dialer := tls.Dialer{Config: &tls.Config{ServerName: serverName, InsecureSkipVerify: true}}
	connection, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	defer func() { _ = connection.Close() }()
	//nolint:forcetypeassert // as its documentation says
	return connection.(*tls.Conn).ConnectionState().PeerCertificates, nil
}
