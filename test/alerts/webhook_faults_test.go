//go:build e2e

package alerts

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr/funcr"

	servingcerts "github.com/claimbridge/claimbridge/certs"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/certs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook"
)

// fault that goes on: it is provoked once before each scrape.
type fault struct {
	alert string
	// step between scrapes on the clock of the recording, and how many there are: enough for what
	// the alert looks at and how long it waits.
	step    time.Duration
	scrapes int
	// quiet is a scrape at which it has gone on, and for too short a time.
	quiet   int
	provoke func(*testing.T, *server)
	environ []string
	flags   []string
}

func junk(version string) string {
	return claim(version, `,"annotations":{"claimbridge.dev/v1-spec":"edited by hand"}`, classic)
}

// big is more than annotations hold.
func big() string {
	var config []string
	for i := range 32 {
		config = append(config,
			fmt.Sprintf(`{"opaque":{"driver":"gpu-%d.example.com","parameters":{"a":"%s"}}}`, i,
				strings.Repeat("x", 9000)))
	}
	return claim("v1alpha3", "",
		`"spec":{"devices":{"requests":[{"name":"a","deviceClassName":"x"}],"config":[`+strings.Join(config, ",")+`]}}`)
}

// untrusting clients trust no CA.
var untrusting = tls.Dialer{Config: &tls.Config{RootCAs: x509.NewCertPool(), ServerName: "localhost"}}

// Faults by clients, API servers or load balancers that last as long as the delay of the alert.
func TestFaultsThatContinue(t *testing.T) {
	for _, f := range []fault{
		{
			alert:   "ClaimbridgeSheds",
			step:    time.Minute,
			scrapes: 20,
			quiet:   8,
			environ: []string{"GOMEMLIMIT=32MiB"},
			provoke: noRoom,
		},
		{alert: "ClaimbridgeUnjudged", step: time.Minute, scrapes: 20, quiet: 8, provoke: func(t *testing.T,
			s *server,
		) {
			s.create(t, "/validate", "v1", "DeviceClass",
				`{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"a"}}`)
		}},
		{
			alert:   "ClaimbridgeCertificateExpires",
			step:    time.Minute,
			scrapes: 15,
			quiet:   8,
			flags:   []string{"--cert-dir=" + lastsADay(t)},
			provoke: func(t *testing.T, s *server) { s.ordinary(t) },
		},
		{alert: "ClaimbridgeNotTrusted", step: time.Minute, scrapes: 20, quiet: 8, provoke: func(t *testing.T,
			s *server,
		) {
			if connection, err := untrusting.DialContext(t.Context(), "tcp", s.address); err == nil {
				_ = connection.Close()
				t.Fatal("a client that trusts no CA is connected")
			}
		}},
		{alert: "ClaimbridgeOldClientStuck", step: 5 * time.Minute, scrapes: 24, quiet: 10, provoke: func(t *testing.T,
			s *server,
		) {
			answer := s.create(t, "/validate", "v1alpha2", "ResourceClaim", junk("v1alpha2"))
			if !strings.Contains(answer, "leftover-") {
				t.Fatalf("it is not rejected because of its annotation: %s", answer)
			}
		}},
		{
			alert:   "ClaimbridgeLeftoversIgnored",
			step:    20 * time.Minute,
			scrapes: 30,
			quiet:   15,
			provoke: func(t *testing.T, s *server) { s.convert(t, "v1", junk("v1alpha2")) },
		},
		{
			alert:   "ClaimbridgeIncompleteCopies",
			step:    20 * time.Minute,
			scrapes: 84,
			quiet:   70,
			provoke: func(t *testing.T, s *server) { s.convert(t, "v1alpha2", big()) },
		},
		{alert: "ClaimbridgeUnknownFields", step: 20 * time.Minute, scrapes: 84, quiet: 70, provoke: func(t *testing.T,
			s *server,
		) {
			s.convert(t, "v1alpha2", claim("v1", "", `"spec":{"devices":{"odd":true,"requests":[]}}`))
		}},
	} {
		t.Run(f.alert, func(t *testing.T) {
			t.Parallel()
			s := serve(t, f.environ, f.flags...)
			r := newRecording(f.step)
			for range 3 {
				s.ordinary(t)
				r.scrape(t, s.target)
			}
			for r.scrapes < f.scrapes {
				f.provoke(t, s)
				r.scrape(t, s.target)
			}
			try(t, r, fire(r.at(2)), fire(r.at(f.quiet)), fire(r.at(f.scrapes-1), f.alert))
		})
	}
}

// noRoom holds the memory for bodies with two bodies that stop within an object: the next call gets 429. A server that
// still has bodies of the last time rejects new ones, so they are sent again until a call gets 429.
func noRoom(t *testing.T, s *server) {
	const memory = 16 << 20 // for bodies, of which one request can have three quarters
	await.NoError(t, "a call that gets 429", func() error {
		for _, length := range []int{memory - 1, memory/4 - 1} {
			connection := must.Get(trusting.DialContext(t.Context(), "tcp", s.address))(t)
			defer func() { _ = connection.Close() }()
			if err := sendUnfinished(connection, length); err != nil {
				return err
			}
		}
		answer := ""
		for range 5 { // the server may still read the bodies
			if answer = s.convert(t, "v1", claim("v1alpha1", "", classic)); strings.Contains(answer, "in flight") {
				return nil
			}
		}
		return errors.New(answer)
	})
}

// sendUnfinished sends a review of a length without its last KiB.
func sendUnfinished(connection net.Conn, length int) error {
	const begun = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{"uid":"1",` +
		`"desiredAPIVersion":"resource.k8s.io/v1","objects":[{"a":"`
	_, err := fmt.Fprintf(connection,
		"POST /convert HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		length, begun+strings.Repeat("x", length-1<<10-len(begun)))
	return err
}

// trusting clients ask for no CA.
//
//nolint:gosec // whom a test has started
var trusting = tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"http/1.1"}}}

// One failed conversion fires the alert, including the first one, with which the series starts. The alert ends later.
func TestOneConversionFails(t *testing.T) {
	s := serve(t, nil)
	r := newRecording(time.Minute)
	for range 30 {
		if r.scrapes == 3 {
			s.convert(t, "v1", claim("v1alpha2", "", `"spec":{"resourceClassName":5}`))
		}
		s.ordinary(t)
		r.scrape(t, s.target)
	}
	try(t, r, fire("2m"), fire("3m", "ClaimbridgeConversionsFail"), fire("12m", "ClaimbridgeConversionsFail"),
		fire("29m"))
}

// A program that embeds the server may have a logger that panics. There is no known bug that causes a panic of the
// server itself.
func TestOnePanic(t *testing.T) {
	metrics := plane.Port(t)
	panicking := funcr.New(func(_, said string) {
		if strings.Contains(said, `"msg"="Denied"`) {
			panic("a bug")
		}
	}, funcr.Options{Verbosity: 10})
	certificate := must.Get(servingcerts.InMemory{}.Open(panicking))(t)
	own, err := webhook.New(webhook.Options{
		BindAddress:        "127.0.0.1",
		SecurePort:         -1,
		ShutdownTimeout:    time.Second,
		MetricsBindAddress: fmt.Sprintf("127.0.0.1:%d", metrics),
		Logger:             panicking,
		Certificates:       certificate,
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	stopped := make(chan error, 1)
	go func() { stopped <- own.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-stopped; err != nil {
			t.Log(err) // a connection that a client keeps
		}
	})
	<-own.Started()
	s := &server{address: own.Addr().String(), target: target{url: fmt.Sprintf("http://127.0.0.1:%d/metrics", metrics)}}
	r := newRecording(time.Minute)
	for range 70 {
		if r.scrapes == 3 {
			s.create(t, "/validate", "v1alpha2", "ResourceClaim",
				claim("v1alpha2", "", `"spec":{"resourceClassName":"Not a name"}`))
		}
		s.convert(t, "v1", claim("v1alpha1", "", classic))
		r.scrape(t, s.target)
	}
	try(t, r, fire("2m"), fire("3m", "ClaimbridgePanics"), fire("50m", "ClaimbridgePanics"), fire("68m"))
}

// lastsADay is a folder with such a certificate, and its key.
func lastsADay(t *testing.T) (folder string) {
	t.Helper()
	pair := certs.New(t, "ca", certs.Day).Leaf(t, certs.Leaf{
		Name:  "claimbridge",
		Hosts: []string{"localhost", "127.0.0.1"},
	})
	folder = t.TempDir()
	for name, data := range map[string][]byte{"tls.crt": pair.Certificate, "tls.key": pair.Key} {
		must.Do(t, os.WriteFile(filepath.Join(folder, name), data, 0o600))
	}
	return folder
}
