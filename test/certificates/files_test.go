//go:build e2e

package certificates

import (
	"crypto/tls"
	"crypto/x509"
	"path/filepath"
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/webhook"
)

// served gives the certificate of a replica.
func (r *replica) served(t *testing.T) *x509.Certificate {
	t.Helper()
	connection, err := tls.Dial("tcp", r.Addr().String(), &tls.Config{InsecureSkipVerify: true}) //nolint:gosec // to look at it
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = connection.Close() }()
	return connection.ConnectionState().PeerCertificates[0]
}

func (r *replica) serves(t *testing.T, certificate []byte) bool {
	return string(encode(r.served(t))) == string(certificate)
}

// TestFilesLoseNothing replaces leaves in a mounted Secret and in plain files, also by halves, and then the CA in the two
// steps that the documentation tells: the new one beside the old one first.
func TestFilesLoseNothing(t *testing.T) {
	t.Parallel()
	i := install(t, "files", config.Files)
	first, second := newTestCA(t, "first", time.Now(), day), newTestCA(t, "second", time.Now(), day)
	leaf := func(ca *testCA) map[string][]byte {
		certificate, key := ca.pair(t, i.dnsName(), x509.ExtKeyUsageServerAuth)
		return map[string][]byte{"tls.crt": certificate, "tls.key": key}
	}
	i.setBundle(t, encode(first.certificate))
	data := leaf(first)
	mounted, folder := newMount(t, data), t.TempDir()
	files := func(data map[string][]byte) {
		for _, name := range []string{"tls.crt", "tls.key"} { // not in one step, and each in two
			put(t, filepath.Join(folder, name), data[name][:len(data[name])/2])
			time.Sleep(50 * time.Millisecond)
			put(t, filepath.Join(folder, name), data[name])
			time.Sleep(50 * time.Millisecond)
		}
	}
	files(data)
	replicas := []*replica{i.startReplica(t, webhook.Options{CertDir: mounted.folder}), i.startReplica(t, webhook.Options{CertDir: folder})}
	await(t, "both are ready", func() bool { return i.service.isReady(2) })
	await(t, "the bundle is trusted", func() bool { return i.convertOnce(t) == nil })
	load := i.begin(t)
	replace := func(ca *testCA) {
		data := leaf(ca)
		mounted.write(t, data)
		files(data)
		for _, r := range replicas {
			await(t, "the new leaf is served", func() bool { return r.serves(t, data["tls.crt"]) })
		}
	}
	replace(first)
	replace(first)
	i.setBundle(t, slices.Concat(encode(first.certificate), encode(second.certificate)))
	time.Sleep(5 * time.Second) // in a cluster a minute, for every API server to hear of it
	replace(second)
	i.setBundle(t, encode(second.certificate))
	replace(second)
	load.end(t)
}

// TestTheLeafBeforeItsCA does it the wrong way round: what callers see, what the server counts, and that it heals.
func TestTheLeafBeforeItsCA(t *testing.T) {
	t.Parallel()
	i := install(t, "wrong", config.Files)
	first, second := newTestCA(t, "first", time.Now(), day), newTestCA(t, "second", time.Now(), day)
	certificate, key := first.pair(t, i.dnsName(), x509.ExtKeyUsageServerAuth)
	m := newMount(t, map[string][]byte{"tls.crt": certificate, "tls.key": key})
	i.setBundle(t, encode(first.certificate))
	r := i.startReplica(t, webhook.Options{CertDir: m.folder})
	await(t, "it is ready", func() bool { return i.service.isReady(1) })
	await(t, "it is trusted", func() bool { return i.convertOnce(t) == nil })
	i.createClaim(t, "a")
	certificate, key = second.pair(t, i.dnsName(), x509.ExtKeyUsageServerAuth)
	m.write(t, map[string][]byte{"tls.crt": certificate, "tls.key": key})
	await(t, "the leaf of the second CA is served", func() bool { return r.serves(t, certificate) })
	i.setBundle(t, append(encode(first.certificate), '\n')) // the API server connects anew
	read := func() error {
		_, err := cluster.dynamic.Resource(i.claims("v1alpha1")).Namespace(i.name).Get(t.Context(), "a", metav1.GetOptions{})
		return err
	}
	await(t, "the API server does not trust it", func() bool { return read() != nil })
	t.Log(read())
	await(t, "the server counts what it is told", func() bool { return r.metric(t, "claimbridge_tls_handshake_failures_total") > 0 })
	i.setBundle(t, slices.Concat(encode(first.certificate), encode(second.certificate)))
	await(t, "the API server trusts it", func() bool { return read() == nil })
}
