package certs

import (
	"crypto/x509"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr/funcr"
	"k8s.io/client-go/rest"
)

func TestNewSharedChecksItsConfiguration(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*Config)
		want   string
		ca     time.Duration
		leaf   time.Duration
	}{
		"defaults": {change: func(*Config) {}, ca: DefaultCAValidity, leaf: DefaultValidity},
		"configured validities": {
			change: func(c *Config) {
				c.CAValidity = 3 * time.Hour
				c.LeafValidity = time.Hour
			},
			ca:   3 * time.Hour,
			leaf: time.Hour,
		},
		"a second": {
			change: func(c *Config) { c.LeafValidity = time.Second },
			ca:     DefaultCAValidity,
			leaf:   time.Second,
		},
		"less than a second": {
			change: func(c *Config) { c.LeafValidity = time.Second - 1 },
			want:   "must be at least a second",
		},
		"a CA validity of less than three times the leaf validity": {
			change: func(c *Config) {
				c.CAValidity = 3*time.Hour - 1
				c.LeafValidity = time.Hour
			},
			want: "must be at least three times",
		},
		"no namespace": {
			change: func(c *Config) { c.Namespace = "" },
			want:   "namespace and name are required",
		},
		"no name": {
			change: func(c *Config) { c.Name = "" },
			want:   "namespace and name are required",
		},
		"an invalid cluster": {
			change: func(c *Config) { c.Cluster = &rest.Config{Host: "://"} },
			want:   "client of the cluster",
		},
	} {
		t.Run(name, func(t *testing.T) {
			config := Config{Cluster: &rest.Config{}, Namespace: "ns", Name: "ca", CRDs: []string{"x"}}
			test.change(&config)
			shared, err := NewShared(config)
			if text := errorText(err); (text == "") != (test.want == "") || !strings.Contains(text, test.want) {
				t.Fatalf("error %q, want %q", text, test.want)
			}
			if err != nil {
				return
			}
			if shared.CAValidity != test.ca || shared.LeafValidity != test.leaf ||
				shared.policy != newPolicy(test.ca, test.leaf) {
				t.Errorf("CA %s, leaves %s", shared.CAValidity, shared.LeafValidity)
			}
			if _, ok := shared.Clock.(*serverClock); !ok || len(shared.objects) != 1 {
				t.Errorf("clock %T, objects %v", shared.Clock, shared.objects)
			}
			if shared.CA() != nil {
				t.Error("there is a CA before the first round")
			}
		})
	}
}

// Watchers are notified if a certificate is due, and not otherwise, or after they stopped watching.
func TestWatchersAreNotifiedOfRotation(t *testing.T) {
	for name, test := range map[string]struct {
		notBefore, notAfter time.Duration // from now
		want                bool
	}{
		"no certificate":       {},
		"a new certificate":    {-day, 6 * day, false},
		"at three quarters":    {-3 * day, day, false},
		"after three quarters": {-3*day - 4*time.Second, day, true},
		"not valid yet":        {1, day, true},
		"valid from now on":    {0, day, false},
	} {
		t.Run(name, func(t *testing.T) {
			shared, _ := newTestShared(t)
			watching, stopped := make(chan struct{}, 1), make(chan struct{}, 1)
			shared.WatchRotation(watching)
			shared.WatchRotation(stopped)
			shared.StopWatchingRotation(stopped)
			if test.notAfter > 0 {
				shared.leaf = &x509.Certificate{
					NotBefore: start.Add(test.notBefore), NotAfter: start.Add(test.notAfter),
				}
			}
			shared.renew()
			if got := len(watching) == 1; got != test.want || len(stopped) > 0 {
				t.Errorf("notified: %v, after the watch was stopped: %v", got, len(stopped) > 0)
			}
			shared.notify()
			shared.notify() // a watcher that does not receive does not block others
		})
	}
}

// A failure is logged once, and so is its end.
func TestFailuresAreLoggedOnce(t *testing.T) {
	shared, server := newTestShared(t)
	var lines []string
	shared.Logger = funcr.New(func(_, args string) { lines = append(lines, args) }, funcr.Options{})
	server.failures["GET "+secretPath] = 500
	for range 2 {
		_, err := shared.round(t.Context())
		shared.report(err)
	}
	if len(lines) != 1 || !strings.Contains(lines[0], "failed, retrying") {
		t.Errorf("unexpected log: %q", lines)
	}
	lines = nil
	for range 2 {
		shared.report(nil)
	}
	if len(lines) != 1 || !strings.Contains(lines[0], "recovered") {
		t.Errorf("unexpected log: %q", lines)
	}
}
