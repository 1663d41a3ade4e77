package preflight

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"slices"
	"strings"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/webhook/preflight"
)

// notInBackground is what `claimbridge serve` leaves out.
var notInBackground = []string{"claims-can-be-read", "certificate-secret-is-filled", "claimbridge-is-installed"}

// as somebody else.
func (i *installation) as(user string) *rest.Config {
	somebody := rest.CopyConfig(i.config)
	somebody.Impersonate = rest.ImpersonationConfig{UserName: user}
	return somebody
}

// Who may read nothing is told so, and never that all is well.
func (i *installation) expectUnknown(t *testing.T) {
	results, err := preflight.Run(t.Context(), i.as("nobody"), preflight.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if r.State() != "unknown" {
			t.Errorf("%s is %s for somebody who may read nothing: %v", r.Check.Name, r.State(), r.Findings)
		}
		for _, f := range r.Findings {
			if !strings.HasPrefix(f.What, `could not look: User "nobody" cannot `) || !strings.HasPrefix(f.Remedy, "allow ") {
				t.Errorf("%s: %s: %s", r.Check.Name, f.What, f.Remedy)
			}
		}
	}
}

// The rights that the manifests give to the server are enough for what it looks at.
func (i *installation) expectEnough(t *testing.T) {
	served := func(context.Context) (chain []*x509.Certificate, err error) {
		block, _ := pem.Decode(i.certificate)
		certificate, err := x509.ParseCertificate(block.Bytes)
		return []*x509.Certificate{certificate}, err
	}
	results, err := preflight.Run(t.Context(), i.as("system:serviceaccount:"+namespace+":"+name), preflight.Options{Skip: notInBackground, Served: served})
	if err != nil {
		t.Fatal(err)
	}
	if len(results) != len(preflight.Checks)-len(notInBackground) {
		t.Errorf("%d results", len(results))
	}
	for _, r := range results {
		if slices.Contains(notInBackground, r.Check.Name) || r.State() != "ok" {
			t.Errorf("%s: %s: %v", r.Check.Name, r.State(), r.Findings)
		}
	}
}
