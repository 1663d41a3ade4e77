package certs

import (
	"crypto/x509"
	"net"
	"slices"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func templateFor(c *ca) *x509.Certificate {
	return &x509.Certificate{
		PublicKey:   c.key.Public(),
		DNSNames:    []string{"a.b.svc"},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
}

// The CA signs certificates of servers, but not of other CAs, and no certificate outlives it.
func TestCertificatesOfACA(t *testing.T) {
	generated := newTestCA(t, commonName, start, 10*day)
	c := generated.certificate
	if !c.IsCA || !c.BasicConstraintsValid || c.MaxPathLen != 0 || !c.MaxPathLenZero ||
		c.KeyUsage != x509.KeyUsageCertSign {
		t.Errorf("the CA is %+v", c)
	}
	var serials []string
	for end, want := range map[time.Duration]time.Duration{9 * day: 9 * day, 10 * day: 10 * day, 11 * day: 10 * day} {
		template := templateFor(generated)
		leaf := must.Get(generated.sign(template, start, start.Add(end), net.IPv6loopback))(t)
		if template.SerialNumber != nil || template.IPAddresses != nil || !template.NotAfter.IsZero() {
			t.Errorf("the template was changed: %+v", template)
		}
		if leaf.IsCA || !leaf.BasicConstraintsValid || !leaf.NotAfter.Equal(start.Add(want)) ||
			!leaf.NotBefore.Equal(start) || !slices.Equal(leaf.DNSNames, []string{"a.b.svc"}) {
			t.Errorf("a leaf until %s is %+v", end, leaf)
		}
		serials = append(serials, leaf.SerialNumber.String())
	}
	slices.Sort(serials)
	if len(slices.Compact(serials)) != 3 {
		t.Error("duplicate serial number")
	}
}

func TestCAIsValidBetweenItsTimes(t *testing.T) {
	c := newTestCA(t, commonName, start, day)
	for after, want := range map[time.Duration]bool{-1: false, 0: true, day - 1: true, day: false} {
		if got := c.isValidAt(start.Add(after)); got != want {
			t.Errorf("after %s: %v", after, got)
		}
	}
	var missing *ca
	if missing.isValidAt(start) || missing.equals(c) || c.equals(missing) || !missing.equals(nil) {
		t.Error("a missing CA is valid, or equals another CA")
	}
}

func TestMemory(t *testing.T) {
	signed := 0
	memory := must.Get(newMemoryCA(func() { signed++ }))(t)
	leaf, err := memory.Sign(templateFor(memory.ca))
	if err != nil || signed != 1 || leaf.CheckSignatureFrom(memory.certificate) != nil {
		t.Errorf("%d were signed: %v", signed, err)
	}
	if _, err := memory.Sign(&x509.Certificate{PublicKey: "no key"}); err == nil || signed != 1 {
		t.Errorf("%d were signed: %v", signed, err)
	}
}
