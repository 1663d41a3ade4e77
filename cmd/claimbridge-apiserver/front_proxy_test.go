package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"math/big"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/authenticatorfactory"
	"k8s.io/apiserver/pkg/authentication/request/headerrequest"
	"k8s.io/apiserver/pkg/server/dynamiccertificates"
)

// Whose word is taken is asked again whenever it could be another: after each change, a certificate that was good before is refused.
func TestTheWordOfAFrontProxy(t *testing.T) {
	tests := map[string]struct {
		// change what is there after a first request that was good.
		change func(p *proxied)
		isGood bool
	}{
		"nothing changes":                        {func(*proxied) {}, true},
		"another certificate of the CA":          {func(p *proxied) { p.chain = p.ca.issue(p.t, "proxy", time.Hour) }, true},
		"another CA is trusted":                  {func(p *proxied) { p.trusted = newSigner(p.t, "ca", 2*time.Hour) }, false},
		"the same certificate of another CA":     {func(p *proxied) { p.chain = newSigner(p.t, "ca", 2*time.Hour).issue(p.t, "proxy", time.Hour) }, false},
		"another name":                           {func(p *proxied) { p.chain = p.ca.issue(p.t, "somebody", time.Hour) }, false},
		"other names are allowed":                {func(p *proxied) { p.names = []string{"another"} }, false},
		"every name is":                          {func(p *proxied) { p.names, p.chain = nil, p.ca.issue(p.t, "somebody", time.Hour) }, true},
		"there is no CA any more":                {func(p *proxied) { p.trusted = nil }, false},
		"no certificate":                         {func(p *proxied) { p.chain = nil }, false},
		"the certificate expires":                {func(*proxied) { time.Sleep(time.Hour + time.Second) }, false},
		"a certificate more, that signs nothing": {func(p *proxied) { p.chain = append(p.chain, newSigner(p.t, "x", time.Hour).certificate) }, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &proxied{t: t, ca: newSigner(t, "ca", 2*time.Hour), names: []string{"proxy"}}
				p.trusted, p.chain = p.ca, p.ca.issue(t, "proxy", time.Hour)
				a := newFrontProxy(p.config(), authenticator.RequestFunc(func(r *http.Request) (*authenticator.Response, bool, error) {
					if r.Header.Get("X-Remote-User") == "" {
						t.Error("the next authenticator does not have the headers")
					}
					return nil, false, nil
				}))
				for range 2 {
					if !p.isAlice(a) {
						t.Fatal("refused before anything has changed")
					}
				}
				test.change(p)
				for range 2 {
					if got := p.isAlice(a); got != test.isGood {
						t.Errorf("accepted: %t", got)
					}
				}
			})
		})
	}
}

// The certificates of all API servers of a cluster are each verified once, however they take turns; one that is not theirs each time it comes,
// and it takes no place from theirs.
func TestHowOftenACertificateIsVerified(t *testing.T) {
	p := &proxied{t: t, ca: newSigner(t, "ca", time.Hour), names: []string{"proxy"}}
	p.trusted = p.ca
	a := newFrontProxy(p.config(), authenticator.RequestFunc(func(*http.Request) (*authenticator.Response, bool, error) { return nil, false, nil }))
	verified := 0
	a.(*frontProxy).verify = func(c *x509.Certificate, o x509.VerifyOptions) ([][]*x509.Certificate, error) {
		verified++
		return c.Verify(o)
	}
	servers := map[string][]*x509.Certificate{}
	for i := range mostProofs {
		servers[fmt.Sprint("API server ", i)] = p.ca.issue(t, "proxy", time.Hour)
	}
	forged := newSigner(t, "ca", time.Hour).issue(t, "proxy", time.Hour)
	const rounds = 3
	for range rounds {
		for name, chain := range servers {
			if p.chain = chain; !p.isAlice(a) {
				t.Errorf("%s is refused", name)
			}
			if p.chain = forged; p.isAlice(a) {
				t.Error("a forged certificate is accepted")
			}
		}
	}
	if want := mostProofs + rounds*mostProofs; verified != want {
		t.Errorf("want %d verifications, one for each API server and one for each request with the forged certificate, got %d", want, verified)
	}
}

// Without a user in the headers the certificate is for the next authenticator.
func TestARequestOfTheFrontProxyItself(t *testing.T) {
	p := &proxied{t: t, ca: newSigner(t, "ca", time.Hour)}
	p.trusted, p.chain = p.ca, p.ca.issue(t, "proxy", time.Hour)
	asked := false
	a := newFrontProxy(p.config(), authenticator.RequestFunc(func(*http.Request) (*authenticator.Response, bool, error) {
		asked = true
		return nil, false, nil
	}))
	if _, ok, err := a.AuthenticateRequest(&http.Request{Header: http.Header{}, TLS: &tls.ConnectionState{PeerCertificates: p.chain}}); ok || err != nil || !asked {
		t.Errorf("%t, %v, asked %t", ok, err, asked)
	}
}

// proxied is a front proxy, and what a cluster says about whom to trust.
type proxied struct {
	t       *testing.T
	ca      *signer
	trusted *signer
	names   []string
	chain   []*x509.Certificate
	dynamiccertificates.CAContentProvider
}

// VerifyOptions as providers of a cluster give them: the pool is another one when the CA is.
func (p *proxied) VerifyOptions() (x509.VerifyOptions, bool) {
	if p.trusted == nil {
		return x509.VerifyOptions{}, false
	}
	return x509.VerifyOptions{Roots: p.trusted.pool, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}, true
}

func (p *proxied) config() *authenticatorfactory.RequestHeaderConfig {
	return &authenticatorfactory.RequestHeaderConfig{
		CAContentProvider:   p,
		UsernameHeaders:     headerrequest.StaticStringSlice{"X-Remote-User"},
		UIDHeaders:          headerrequest.StaticStringSlice{"X-Remote-Uid"},
		GroupHeaders:        headerrequest.StaticStringSlice{"X-Remote-Group"},
		ExtraHeaderPrefixes: headerrequest.StaticStringSlice{"X-Remote-Extra-"},
		AllowedClientNames:  headerrequest.StringSliceProviderFunc(func() []string { return p.names }),
	}
}

func (p *proxied) isAlice(a authenticator.Request) bool {
	r := &http.Request{Header: http.Header{"X-Remote-User": {"alice"}, "X-Remote-Group": {"devs"}}, TLS: &tls.ConnectionState{PeerCertificates: p.chain}}
	response, ok, err := a.AuthenticateRequest(r)
	if err != nil || !ok {
		return false
	}
	if groups := response.User.GetGroups(); len(groups) != 2 || groups[1] != "system:authenticated" || r.Header.Get("X-Remote-User") != "" {
		p.t.Errorf("groups %q, and headers %v are left", groups, r.Header)
	}
	return response.User.GetName() == "alice"
}

// signer is a CA.
type signer struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	pool        *x509.CertPool
}

func newSigner(t *testing.T, name string, valid time.Duration) *signer {
	t.Helper()
	s := &signer{key: newKey(t), pool: x509.NewCertPool()}
	template := certificate(name, valid)
	template.IsCA, template.BasicConstraintsValid, template.KeyUsage = true, true, x509.KeyUsageCertSign
	s.certificate = sign(t, template, template, s.key, s.key)
	s.pool.AddCert(s.certificate)
	return s
}

func (s *signer) issue(t *testing.T, name string, valid time.Duration) []*x509.Certificate {
	t.Helper()
	chain, _ := s.issueWithKey(t, name, valid)
	return chain
}

func (s *signer) issueWithKey(t *testing.T, name string, valid time.Duration) ([]*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	template, key := certificate(name, valid), newKey(t)
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	return []*x509.Certificate{sign(t, template, s.certificate, key, s.key)}, key
}

func certificate(name string, valid time.Duration) *x509.Certificate {
	return &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Minute), NotAfter: time.Now().Add(valid)}
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func sign(t *testing.T, template, parent *x509.Certificate, key, by *ecdsa.PrivateKey) *x509.Certificate {
	t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, by)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}
