package config_test

import (
	"encoding/base64"
	"encoding/pem"
	"slices"
	"strings"
	"testing"

	certmanagerv1 "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/certs"
)

func TestCAReachesEveryClient(t *testing.T) {
	bundle := slices.Concat(certificate(t, true), certificate(t, true))
	values := leaves(t, manifests(t, config.Options{Certificates: config.Files, CABundle: bundle}))
	clients := 0
	for path := range values {
		parent, isClient := strings.CutSuffix(path, "/clientConfig/service/name")
		if !isClient {
			continue
		}
		clients++
		if values[parent+"/clientConfig/caBundle"] != base64.StdEncoding.EncodeToString(bundle) {
			t.Errorf("%s has another caBundle", parent)
		}
	}
	if clients != 4 {
		t.Errorf("got %d caBundles, want those of 2 CRDs and 2 webhooks", clients)
	}
}

// The server's certificate expires long before its CA, and is renewed in the second half of its validity.
func TestCertificatesExpireBeforeTheirCA(t *testing.T) {
	certificates := map[bool]*certmanagerv1.Certificate{} // by isCA
	for _, c := range typed[*certmanagerv1.Certificate](t, manifests(t, config.Options{})) {
		certificates[c.Spec.IsCA] = c
	}
	leaf, ca := certificates[false].Spec, certificates[true].Spec
	if leaf.Duration.Duration >= ca.Duration.Duration/10 || leaf.RenewBefore.Duration >= leaf.Duration.Duration/2 {
		t.Errorf("certificate %s (renewed %s before), CA %s", leaf.Duration.Duration, leaf.RenewBefore.Duration,
			ca.Duration.Duration)
	}
}

// Not even a blank caBundle: the client that applies the manifests would own the field. With cert-manager, its
// cainjector writes all four. With other certificates, it must ignore them.
func TestNoCABundleWithoutACA(t *testing.T) {
	for _, mode := range modes {
		stream := string(manifests(t, config.Options{Namespace: "gpu", Certificates: mode}))
		injected := map[config.Certificates]int{config.CertManager: 4}[mode]
		if strings.Contains(stream, "caBundle") ||
			strings.Count(stream, "cert-manager.io/inject-ca-from: gpu/claimbridge-tls\n") != injected ||
			strings.Count(stream, "inject-ca-from") != injected {
			t.Errorf("%s: there is a caBundle, or cainjector does not inject the CA into %d objects", mode, injected)
		}
	}
}

func TestInvalidCAs(t *testing.T) {
	ca := certificate(t, true)
	tests := map[string]struct {
		bundle []byte
		mode   config.Certificates
		want   string
	}{
		"an empty file": {[]byte{}, config.Files, "contains no certificate"},
		"white space":   {[]byte("\n"), config.Files, "contains no certificate"},
		"not PEM": {
			[]byte("LS0tLS1CRUdJTiBD"),
			config.Files,
			"CA: not PEM",
		},
		"text after a CA": {
			slices.Concat(ca, []byte("x")),
			config.Files,
			"invalid PEM after certificate 1",
		},
		"a private key": {
			pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY"}),
			config.Files,
			"never a private key",
		},
		"a malformed certificate": {
			pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: []byte("x")}),
			config.Files,
			"certificate 1",
		},
		"a serving certificate": {
			slices.Concat(ca, certificate(t, false)),
			config.Files,
			"certificate 2 (CN=claimbridge) is not a CA",
		},
		"a CA with cert-manager's certificates": {ca, config.CertManager, "cert-manager writes its own CA"},
		"a CA with the server's certificates":   {ca, config.Self, "the server writes its own CA"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := config.Manifests(config.Options{Group: group, Certificates: test.mode, CABundle: test.bundle})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("want %q in the error, got %v", test.want, err)
			}
		})
	}
}

// certificate returns the certificate of a CA, or of a server that it signed.
func certificate(t *testing.T, isCA bool) []byte {
	t.Helper()
	ca := certs.New(t, "claimbridge", certs.Day)
	if isCA {
		return ca.Certificate
	}
	return ca.Leaf(t, certs.Leaf{Name: "claimbridge"}).Certificate
}
