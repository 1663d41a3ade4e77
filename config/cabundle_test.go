package config_test

import (
	"encoding/pem"
	"slices"
	"strings"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/certs"
)

func TestCAReachesEveryClient(t *testing.T) {
	bundle := slices.Concat(certificate(t, true), certificate(t, true))
	stream := manifests(t, config.Options{Certificates: config.Files, CABundle: bundle})
	if clients := caBundles(t, stream); len(clients) != 4 {
		t.Errorf("want 2 definitions and 2 webhooks, got %d", len(clients))
	}
	for name, got := range caBundles(t, stream) {
		if string(got) != string(bundle) {
			t.Errorf("%s: the caBundle is %q", name, got)
		}
	}
}

// Not even a blank one: with it, whoever applies the manifests would own the field and take it from those who write it.
func TestNobodyIsGivenACaBundleWithoutACA(t *testing.T) {
	for _, mode := range modes {
		stream := manifests(t, config.Options{Certificates: mode})
		if strings.Contains(string(stream), "caBundle") {
			t.Errorf("%s: there is a caBundle", mode)
		}
		if clients := caBundles(t, stream); len(clients) != 4 {
			t.Errorf("%s: want 2 definitions and 2 webhooks, got %d", mode, len(clients))
		}
	}
}

func caBundles(t *testing.T, stream []byte) map[string][]byte {
	t.Helper()
	found := map[string][]byte{}
	for _, crd := range typed[*apiextensionsv1.CustomResourceDefinition](t, stream) {
		found[crd.Name] = crd.Spec.Conversion.Webhook.ClientConfig.CABundle
	}
	for _, c := range typed[*admissionregistrationv1.MutatingWebhookConfiguration](t, stream) {
		for _, w := range c.Webhooks {
			found[w.Name] = w.ClientConfig.CABundle
		}
	}
	for _, c := range typed[*admissionregistrationv1.ValidatingWebhookConfiguration](t, stream) {
		for _, w := range c.Webhooks {
			found[w.Name] = w.ClientConfig.CABundle
		}
	}
	return found
}

func TestCAsThatCannotBe(t *testing.T) {
	ca := certificate(t, true)
	tests := map[string]struct {
		bundle []byte
		mode   config.Certificates
		want   string
	}{
		"an empty file":                     {[]byte{}, config.Files, "there is no certificate in it"},
		"white space":                       {[]byte("\n"), config.Files, "there is no certificate in it"},
		"no PEM":                            {[]byte("LS0tLS1CRUdJTiBD"), config.Files, "something that is not PEM after 0 certificates"},
		"text after a CA":                   {slices.Concat(ca, []byte("x")), config.Files, "something that is not PEM after 1 certificates"},
		"a private key":                     {pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY"}), config.Files, "never a private key"},
		"a certificate that is none":        {pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: []byte("x")}), config.Files, "certificate 1"},
		"the serving certificate itself":    {slices.Concat(ca, certificate(t, false)), config.Files, "certificate 2 (CN=claimbridge) is no CA"},
		"a CA where cert-manager brings it": {ca, config.CertManager, "a CA is only given with certificates=files"},
		"a CA where the server brings it":   {ca, config.Self, "a CA is only given with certificates=files"},
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

// certificate of a CA, or of a server that it signed.
func certificate(t *testing.T, isCA bool) []byte {
	t.Helper()
	ca := certs.New(t, "claimbridge", certs.Day)
	if isCA {
		return ca.Certificate
	}
	return ca.Leaf(t, certs.Leaf{Name: "claimbridge"}).Certificate
}
