package webhook

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/reviews"
	"github.com/claimbridge/claimbridge/test/testkit/certs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Admission requires a valid client certificate. Conversion accepts a client without one, but not an invalid one.
// Health endpoints accept all clients. The review itself is malformed, so an accepted client gets 400.
func TestClientCertificates(t *testing.T) {
	ca := certs.New(t, "ca", certs.Day)
	file := filepath.Join(t.TempDir(), "ca.crt")
	must.Do(t, os.WriteFile(file, ca.Certificate, 0o600))
	leafOf := func(signer *certs.Authority, name string) *x509.Certificate {
		leaf := signer.Leaf(t, certs.Leaf{Name: name})
		return must.Get(tls.X509KeyPair(leaf.Certificate, leaf.Key))(t).Leaf
	}
	valid := leafOf(ca, "allowed")
	untrusted := leafOf(certs.New(t, "another ca", certs.Day), "allowed")
	tests := map[string]struct {
		certificate *x509.Certificate
		path        string
		code        int
		message     string
	}{
		"valid for admission":        {valid, "/validate", http.StatusBadRequest, ""},
		"valid for defaults":         {valid, "/default", http.StatusBadRequest, ""},
		"none for admission":         {nil, "/validate", http.StatusUnauthorized, "client certificate required"},
		"none for defaults":          {nil, "/default", http.StatusUnauthorized, "client certificate required"},
		"none for conversion":        {nil, "/convert", http.StatusBadRequest, ""},
		"none for health":            {nil, "/livez", http.StatusOK, ""},
		"untrusted for admission":    {untrusted, "/validate", http.StatusUnauthorized, "unknown authority"},
		"untrusted for conversion":   {untrusted, "/convert", http.StatusUnauthorized, "unknown authority"},
		"untrusted for health":       {untrusted, "/livez", http.StatusOK, ""},
		"another name for admission": {leafOf(ca, "b"), "/validate", http.StatusUnauthorized, "not in the allowed list"},
		"no name for admission":      {leafOf(ca, ""), "/validate", http.StatusUnauthorized, "client certificate"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, Options{ClientCAFile: file, ClientAllowedNames: []string{"allowed"}})
			s.clients.Store(must.Get(newClientCA(s.options))(t))
			request := reviews.NewRequest(test.path, "{")
			if test.path == "/livez" {
				request.Method = http.MethodGet
			}
			request.TLS = &tls.ConnectionState{}
			if test.certificate != nil {
				request.TLS.PeerCertificates = []*x509.Certificate{test.certificate}
			}
			response := serve(s, request)
			if response.Code != test.code || !strings.Contains(response.Body, test.message) {
				t.Errorf("%d: %s, want %d with %q", response.Code, response.Body, test.code, test.message)
			}
		})
	}
}

func TestWithoutClientCAAdmissionRequiresNoCertificate(t *testing.T) {
	response := serve(newServer(t, Options{}), reviews.NewRequest("/validate", "{"))
	if response.Code != http.StatusBadRequest {
		t.Errorf("%d: %s", response.Code, response.Body)
	}
}
