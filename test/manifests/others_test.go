//go:build e2e

package manifests

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// writeAsOthers puts into our objects what cert-manager or the server itself would.
func (c *cluster) writeAsOthers(t *testing.T, stream []byte) {
	t.Helper()
	ca := authority(t)
	written := 0
	for _, object := range c.stored(t, stream) {
		var path string
		value := any(ca)
		switch object.GetKind() {
		case "CustomResourceDefinition":
			path = "/spec/conversion/webhook/clientConfig/caBundle"
		case "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration":
			path = "/webhooks/0/clientConfig/caBundle"
		case "Secret":
			path, value = "/data", map[string][]byte{"tls.crt": ca, "tls.key": ca, "ca.crt": ca}
		default:
			continue
		}
		patch, err := json.Marshal([]map[string]any{{"op": "add", "path": path, "value": value}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.resource(t, object).Patch(t.Context(), object.GetName(), types.JSONPatchType, patch, metav1.PatchOptions{}); err != nil {
			t.Fatalf("%s %s: %v", object.GetKind(), object.GetName(), err)
		}
		written++
	}
	if written < 4 {
		t.Fatalf("others should have written to two definitions and two webhook configurations, not to %d objects", written)
	}
}

// authority makes a CA certificate (PEM); an API server takes nothing else for a caBundle.
func authority(t *testing.T) []byte {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), IsCA: true, BasicConstraintsValid: true, NotAfter: time.Now().Add(time.Hour)}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw})
}
