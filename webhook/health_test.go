package webhook

import (
	"context"
	"crypto/tls"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/version"

	"github.com/claimbridge/claimbridge/test/reviews"
)

// fixed is a source of one certificate, or of none.
type fixed struct{ certificate *tls.Certificate }

func (f fixed) GetCertificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	if f.certificate == nil {
		return nil, errors.New("none")
	}
	return f.certificate, nil
}

func (fixed) Start(context.Context) error { return nil }

func TestHealth(t *testing.T) {
	const certificateFails, shutdownFails = "[-]certificate failed: reason withheld\n", "[-]shutdown failed: reason " +
		"withheld\n"
	tests := map[string]struct {
		path        string
		certificate bool
		draining    bool
		code        int
		text        []string
	}{
		"alive without a certificate": {path: "/livez", code: 200, text: []string{"ok"}},
		"alive while stopping":        {path: "/livez", draining: true, code: 200, text: []string{"ok"}},
		"ready with a certificate":    {path: "/readyz", certificate: true, code: 200, text: []string{"ok"}},
		"not ready without a certificate": {
			path: "/readyz",
			code: 500,
			text: []string{certificateFails, "[+]conversion ok\n", "readyz check failed"},
		},
		"not ready while stopping": {
			path: "/readyz", certificate: true, draining: true, code: 500, text: []string{shutdownFails},
		},
		"healthy while stopping": {
			path: "/healthz", certificate: true, draining: true, code: 200, text: []string{"ok"},
		},
		"unhealthy without a certificate": {path: "/healthz", code: 500, text: []string{certificateFails}},
		"verbose lists all checks": {
			path: "/readyz?verbose", certificate: true, code: 200,
			text: []string{"[+]ping ok\n[+]certificate ok\n[+]conversion ok\n[+]shutdown ok\nreadyz check passed\n"},
		},
		"a check may be left out": {path: "/readyz?exclude=certificate", code: 200, text: []string{"ok"}},
		"one check alone":         {path: "/readyz/conversion", code: 200, text: []string{"ok"}},
		"one failing check alone": {path: "/readyz/certificate", code: 500, text: []string{"no serving certificate"}},
		"an unknown check":        {path: "/readyz/moon", code: 404, text: []string{"not found"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, Options{})
			s.options.Certificates = fixed{}
			if test.certificate {
				s.options.Certificates = fixed{&tls.Certificate{}}
			}
			s.draining.Store(test.draining)
			response := serve(s, httptest.NewRequest(http.MethodGet, test.path, nil))
			got := response.Body
			if response.Code != test.code {
				t.Errorf("%d: %s", response.Code, got)
			}
			for _, want := range test.text {
				if !strings.Contains(got, want) {
					t.Errorf("the response lacks %q:\n%s", want, got)
				}
			}
		})
	}
}

func TestVersion(t *testing.T) {
	response := serve(newServer(t, Options{}), httptest.NewRequest(http.MethodGet, "/version", nil))
	got := reviews.Decode[version.Info](t, response.Body)
	if response.Code != http.StatusOK || got.GoVersion == "" || got.GitVersion == "" || got.Platform == "" {
		t.Errorf("%d: %+v", response.Code, got)
	}
}

func TestStoppingServersAskClientsToReconnect(t *testing.T) {
	s := newServer(t, Options{})
	for _, draining := range []bool{false, true} {
		s.draining.Store(draining)
		response := serve(s,
			reviews.NewRequest("/convert", reviews.Conversion("resource.k8s.io/v1alpha3", reviews.ClaimV1alpha2)))
		reviews.CheckConverted(t, response)
		if got := response.Header.Get("Connection") == "close"; got != draining {
			t.Errorf("stopping %v, asked to close %v", draining, got)
		}
	}
}
