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

// fault is caused once before each scrape, for as long as the recording lasts.
type fault struct {
	alert string
	// step is the simulated time between scrapes. The scrapes cover the range of the alert's query and its delay.
	step    time.Duration
	scrapes int
	// quietScrape is a scrape at which the fault has not lasted long enough for the alert.
	quietScrape int
	cause       func(*testing.T, *server)
	environ     []string
	flags       []string
}

func claimWithInvalidAnnotation(version string) string {
	return claim(version, `,"annotations":{"claimbridge.dev/v1-spec":"edited by hand"}`, classicSpec)
}

// oversizedClaim returns a claim with more configuration than annotations can preserve.
func oversizedClaim() string {
	var config []string
	for i := range 32 {
		config = append(config,
			fmt.Sprintf(`{"opaque":{"driver":"gpu-%d.example.com","parameters":{"a":"%s"}}}`, i,
				strings.Repeat("x", 9000)))
	}
	return claim("v1alpha3", "",
		`"spec":{"devices":{"requests":[{"name":"a","deviceClassName":"x"}],"config":[`+strings.Join(config, ",")+`]}}`)
}

// dialerWithoutCA trusts no CA, so that its TLS handshakes fail.
var dialerWithoutCA = tls.Dialer{Config: &tls.Config{RootCAs: x509.NewCertPool(), ServerName: "localhost"}}

// A fault of a client, an API server or a load balancer fires its alert when it has lasted as long as the alert's
// delay.
func TestPersistentFaults(t *testing.T) {
	for _, f := range []fault{
		{
			alert:       "ClaimbridgeSheds",
			step:        time.Minute,
			scrapes:     20,
			quietScrape: 8,
			environ:     []string{"GOMEMLIMIT=32MiB"},
			cause:       fillBodyMemory,
		},
		{
			alert:       "ClaimbridgeUnjudged",
			step:        time.Minute,
			scrapes:     20,
			quietScrape: 8,
			cause: func(t *testing.T, s *server) {
				s.reviewCreate(t, "/validate", "v1", "DeviceClass",
					`{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"a"}}`)
			},
		},
		{
			alert:       "ClaimbridgeCertificateExpires",
			step:        time.Minute,
			scrapes:     15,
			quietScrape: 8,
			flags:       []string{"--cert-dir=" + oneDayCertificate(t)},
			cause:       func(t *testing.T, s *server) { s.sendNormalRequests(t) },
		},
		{
			alert:       "ClaimbridgeNotTrusted",
			step:        time.Minute,
			scrapes:     20,
			quietScrape: 8,
			cause: func(t *testing.T, s *server) {
				if connection, err := dialerWithoutCA.DialContext(t.Context(), "tcp", s.address); err == nil {
					_ = connection.Close()
					t.Fatal("the TLS handshake of a client that trusts no CA succeeded, want an error")
				}
			},
		},
		{
			alert:       "ClaimbridgeOldClientStuck",
			step:        5 * time.Minute,
			scrapes:     24,
			quietScrape: 10,
			cause: func(t *testing.T, s *server) {
				response := s.reviewCreate(t, "/validate", "v1alpha2", "ResourceClaim",
					claimWithInvalidAnnotation("v1alpha2"))
				if !strings.Contains(response, "leftover-") {
					t.Fatalf("want the claim rejected because of its annotation, got %s", response)
				}
			},
		},
		{
			alert:       "ClaimbridgeLeftoversIgnored",
			step:        20 * time.Minute,
			scrapes:     30,
			quietScrape: 15,
			cause: func(t *testing.T, s *server) {
				s.convert(t, "v1", claimWithInvalidAnnotation("v1alpha2"))
			},
		},
		{
			alert:       "ClaimbridgeIncompleteCopies",
			step:        20 * time.Minute,
			scrapes:     84,
			quietScrape: 70,
			cause:       func(t *testing.T, s *server) { s.convert(t, "v1alpha2", oversizedClaim()) },
		},
		{
			alert:       "ClaimbridgeUnknownFields",
			step:        20 * time.Minute,
			scrapes:     84,
			quietScrape: 70,
			cause: func(t *testing.T, s *server) {
				s.convert(t, "v1alpha2", claim("v1", "", `"spec":{"devices":{"odd":true,"requests":[]}}`))
			},
		},
	} {
		t.Run(f.alert, func(t *testing.T) {
			t.Parallel()
			s := serve(t, f.environ, f.flags...)
			r := newRecording(f.step)
			for range 3 {
				s.sendNormalRequests(t)
				r.scrape(t, s.target)
			}
			for r.scrapes < f.scrapes {
				f.cause(t, s)
				r.scrape(t, s.target)
			}
			checkRules(t, r, firing(r.at(2)), firing(r.at(f.quietScrape)), firing(r.at(f.scrapes-1), f.alert))
		})
	}
}

// fillBodyMemory uses up the memory for request bodies with two unfinished bodies, so that the next call gets 429. A
// server that still holds bodies of an earlier call rejects new ones, so the bodies are sent again until a call gets
// 429.
func fillBodyMemory(t *testing.T, s *server) {
	const memory = 16 << 20 // for bodies, of which one request can have three quarters
	await.NoError(t, "a call that gets 429", func() error {
		for _, length := range []int{memory - 1, memory/4 - 1} {
			connection := must.Get(insecureDialer.DialContext(t.Context(), "tcp", s.address))(t)
			defer func() { _ = connection.Close() }()
			if err := sendUnfinishedBody(connection, length); err != nil {
				return err
			}
		}
		response := ""
		for range 5 { // the server may still read the bodies
			response = s.convert(t, "v1", claim("v1alpha1", "", classicSpec))
			if strings.Contains(response, "in flight") {
				return nil
			}
		}
		return errors.New(response)
	})
}

// sendUnfinishedBody sends a review with a Content-Length, without the last KiB of its body.
func sendUnfinishedBody(connection net.Conn, length int) error {
	const prefix = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{"uid":"1",` +
		`"desiredAPIVersion":"resource.k8s.io/v1","objects":[{"a":"`
	_, err := fmt.Fprintf(connection,
		"POST /convert HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		length, prefix+strings.Repeat("x", length-1<<10-len(prefix)))
	return err
}

// insecureDialer does not verify the server's certificate.
//
//nolint:gosec // it connects to servers that a test started
var insecureDialer = tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"http/1.1"}}}

// A single failed conversion fires the alert for a while, even if it is the first one and creates the series.
func TestFailedConversion(t *testing.T) {
	s := serve(t, nil)
	r := newRecording(time.Minute)
	for range 30 {
		if r.scrapes == 3 {
			s.convert(t, "v1", claim("v1alpha2", "", `"spec":{"resourceClassName":5}`))
		}
		s.sendNormalRequests(t)
		r.scrape(t, s.target)
	}
	checkRules(t, r, firing("2m"), firing("3m", "ClaimbridgeConversionsFail"),
		firing("12m", "ClaimbridgeConversionsFail"), firing("29m"))
}

// A single panic fires the alert for a while. No known bug causes a panic, so the test uses a logger that panics, as a
// program that embeds the server could have.
func TestPanic(t *testing.T) {
	metricsPort := plane.Port(t)
	logger := funcr.New(func(_, line string) {
		if strings.Contains(line, `"msg"="Denied"`) {
			panic("a bug")
		}
	}, funcr.Options{Verbosity: 10})
	certificate := must.Get(servingcerts.InMemory{}.Open(logger))(t)
	webhookServer := must.Get(webhook.New(webhook.Options{
		BindAddress:        "127.0.0.1",
		SecurePort:         -1,
		ShutdownTimeout:    time.Second,
		MetricsBindAddress: fmt.Sprintf("127.0.0.1:%d", metricsPort),
		Logger:             logger,
		Certificates:       certificate,
	}))(t)
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	stopped := make(chan error, 1)
	go func() { stopped <- webhookServer.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-stopped; err != nil {
			t.Log(err) // a client keeps a connection open
		}
	})
	<-webhookServer.Started()
	s := &server{
		address: webhookServer.Addr().String(),
		target:  target{url: fmt.Sprintf("http://127.0.0.1:%d/metrics", metricsPort)},
	}
	r := newRecording(time.Minute)
	for range 70 {
		if r.scrapes == 3 {
			s.reviewCreate(t, "/validate", "v1alpha2", "ResourceClaim",
				claim("v1alpha2", "", `"spec":{"resourceClassName":"Not a name"}`))
		}
		s.convert(t, "v1", claim("v1alpha1", "", classicSpec))
		r.scrape(t, s.target)
	}
	checkRules(t, r, firing("2m"), firing("3m", "ClaimbridgePanics"), firing("50m", "ClaimbridgePanics"),
		firing("68m"))
}

// oneDayCertificate returns a folder with a certificate that is valid for a day, and its key.
func oneDayCertificate(t *testing.T) (folder string) {
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
