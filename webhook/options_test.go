package webhook

import (
	"crypto/tls"
	"strings"
	"testing"
	"time"
)

func TestOptionsAreRejected(t *testing.T) {
	tests := map[string]struct {
		options Options
		want    string
	}{
		"names of clients without a CA": {Options{ClientAllowedNames: []string{"a"}}, "client CA"},
		"a group with a version": {
			Options{Groups: []string{"*", "resource.k8s.io/v1alpha3"}},
			`"resource.k8s.io/v1alpha3"`,
		},
		"a release without rules": {
			Options{KubernetesRelease: "1.25"},
			`release "1.25": must be one of 1.26, 1.30, 1.31`,
		},
		"a group without a name":               {Options{Groups: []string{""}}, "API group"},
		"an invalid port":                      {Options{SecurePort: 65536}, "65536"},
		"a negative body":                      {Options{MaxRequestBytes: -1}, "must not be negative"},
		"negative bytes in flight":             {Options{MaxInFlightBytes: -1}, "must not be negative"},
		"negative connections":                 {Options{MaxConnections: -1}, "must not be negative"},
		"a negative delay":                     {Options{ShutdownDelay: -time.Second}, "-1s"},
		"a negative wait for idle connections": {Options{ShutdownIdleTimeout: -time.Second}, "-1s"},
		"a negative timeout":                   {Options{ShutdownTimeout: -time.Second}, "-1s"},
		"TLS that is too old": {
			Options{TLSMinVersion: "VersionTLS11"}, "VersionTLS12 or VersionTLS13",
		},
		"TLS that is unknown":            {Options{TLSMinVersion: "1.2"}, "VersionTLS12 or VersionTLS13"},
		"a cipher suite that is unknown": {Options{CipherSuites: []string{"ROT13"}}, "ROT13"},
		"cipher suites that HTTP/2 cannot use": {
			Options{CipherSuites: []string{"TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"}},
			"HTTP/2",
		},
	}
	for name, test := range tests {
		if _, err := New(test.options); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", name, err, test.want)
		}
	}
}

func TestOptionsOfTLS(t *testing.T) {
	s := newServer(t, Options{
		TLSMinVersion: "VersionTLS13",
		CipherSuites:  []string{"TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"},
		DisableHTTP2:  true,
	})
	if s.tls.MinVersion != tls.VersionTLS13 || len(s.tls.CipherSuites) != 1 {
		t.Errorf("got %x, %x", s.tls.MinVersion, s.tls.CipherSuites)
	}
	if s := newServer(t, Options{}); s.tls.MinVersion != tls.VersionTLS12 {
		t.Errorf("the default is %x, want TLS 1.2", s.tls.MinVersion)
	}
}

func TestDefaults(t *testing.T) {
	given := Options{}
	o := newServer(t, given).options
	if o.SecurePort != 9443 || o.MetricsBindAddress != "127.0.0.1:8080" || o.MaxRequestBytes != 16<<20 ||
		o.ShutdownTimeout != 30*time.Second ||
		len(o.Groups) != 1 || o.Groups[0] != "resource.k8s.io" {
		t.Errorf("got %+v", o)
	}
	if given.Groups != nil {
		t.Errorf("the caller's options were changed: %+v", given)
	}
}
