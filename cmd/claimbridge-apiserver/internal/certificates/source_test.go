package certificates

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/webhook/authority"
)

type heard chan struct{}

func (h heard) Enqueue() { h <- struct{}{} }

// What the generic server is given is a pair that fits, for the names that were asked for, once and not again.
func TestTheServerHearsOfACertificate(t *testing.T) {
	memory, err := authority.NewMemory(nil)
	if err != nil {
		t.Fatal(err)
	}
	source := New(memory, "memory", []string{"claimbridge-apiserver.gpu.svc"})
	told := make(heard, 10)
	source.AddListener(told)
	if cert, key := source.CurrentCertKeyContent(); cert != nil || key != nil {
		t.Error("there is a certificate before one is signed")
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	if err := source.RunOnce(ctx); err != nil {
		t.Fatal(err)
	}
	<-told
	go source.Run(ctx, 1)
	pair, err := tls.X509KeyPair(source.CurrentCertKeyContent())
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(memory.PEM())
	if _, err := pair.Leaf.Verify(x509.VerifyOptions{DNSName: "claimbridge-apiserver.gpu.svc", Roots: roots}); err != nil {
		t.Error(err)
	}
	if err := source.RunOnce(t.Context()); err != nil || len(told) > 0 {
		t.Errorf("told again of the same certificate (%v)", err)
	}
}

func TestTheSecretHasANamespace(t *testing.T) {
	cluster := &rest.Config{Host: "https://127.0.0.1:1"}
	if _, err := Shared(cluster, "claimbridge-apiserver-ca", nil, nil, nil); err == nil {
		t.Error("a name without a namespace was taken")
	}
	if _, err := Shared(cluster, "gpu/claimbridge-apiserver-ca", nil, []string{"v1beta1"}, nil); err != nil {
		t.Error(err)
	}
}
