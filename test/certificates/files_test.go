//go:build e2e

package certificates

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	servingcerts "github.com/claimbridge/claimbridge/certs"
	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/certs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook"
)

// peerCertificate returns the certificate that a replica serves.
func (r *replica) peerCertificate(t *testing.T) *x509.Certificate {
	t.Helper()
	//nolint:gosec // only to read the certificate
	connection := must.Get(tls.Dial("tcp", r.Addr().String(), &tls.Config{InsecureSkipVerify: true}))(t)
	defer func() { _ = connection.Close() }()
	return connection.ConnectionState().PeerCertificates[0]
}

func (r *replica) servesCertificate(t *testing.T, certificate []byte) bool {
	return bytes.Equal(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: r.peerCertificate(t).Raw}),
		certificate)
}

// partialWriteDelay is the time between two parts of a file that is not written atomically. The server may read it in
// between, and no call may be lost.
const partialWriteDelay = 50 * time.Millisecond

// TestFileChangesLoseNoCalls replaces certificates in a mounted Secret and in plain files, also in two parts, and then
// the CA in the two steps of the documentation.
func TestFileChangesLoseNoCalls(t *testing.T) {
	t.Parallel()
	i := install(t, "files", config.Files)
	first, second := certs.New(t, "first", certs.Day), certs.New(t, "second", certs.Day)
	i.setBundle(t, first.Certificate)
	data := servingCertificate(t, first, i.dnsName())
	secretMount, folder := newSecretMount(t, data), t.TempDir()
	files := func(data map[string][]byte) {
		// the files are not replaced in one step, and each is written in two
		for _, name := range []string{"tls.crt", "tls.key"} {
			writeFile(t, filepath.Join(folder, name), data[name][:len(data[name])/2])
			time.Sleep(partialWriteDelay)
			writeFile(t, filepath.Join(folder, name), data[name])
			time.Sleep(partialWriteDelay)
		}
	}
	files(data)
	replicas := []*replica{
		i.startReplica(t, servingcerts.FilesInDir(secretMount.folder), webhook.Options{}),
		i.startReplica(t, servingcerts.FilesInDir(folder), webhook.Options{}),
	}
	await.NoError(t, "both replicas are ready", func() error { return i.service.checkReady(2) })
	await.NoError(t, "clients with the bundle trust the certificates", func() error { return i.convertOnce(t) })
	load := i.startLoad(t)
	replace := func(ca *certs.Authority) {
		data := servingCertificate(t, ca, i.dnsName())
		secretMount.write(t, data)
		files(data)
		for _, r := range replicas {
			await.True(t, "the new certificate is served", func() bool {
				return r.servesCertificate(t, data["tls.crt"])
			})
		}
	}
	replace(first)
	replace(first)
	i.setBundle(t, slices.Concat(first.Certificate, second.Certificate))
	i.waitForCRD(t) // a user waits a minute, for all API servers
	replace(second)
	i.setBundle(t, second.Certificate)
	replace(second)
	load.end(t)
}

// secretMount is a volume of a Secret in the format of the kubelet: the files are links through ..data to a folder that
// does not change, and ..data is replaced atomically.
type secretMount struct {
	folder  string
	version int
}

func newSecretMount(t *testing.T, data map[string][]byte) *secretMount {
	t.Helper()
	m := &secretMount{folder: t.TempDir()}
	m.write(t, data)
	for name := range data {
		must.Do(t, os.Symlink(filepath.Join("..data", name), filepath.Join(m.folder, name)))
	}
	return m
}

func (m *secretMount) write(t *testing.T, data map[string][]byte) {
	t.Helper()
	m.version++
	version := fmt.Sprintf("..%d", m.version)
	data = map[string][]byte{"tls.crt": data["tls.crt"], "tls.key": data["tls.key"]}
	must.Do(t, os.Mkdir(filepath.Join(m.folder, version), 0o700))
	for name, content := range data {
		writeFile(t, filepath.Join(m.folder, version, name), content)
	}
	old, _ := os.Readlink(filepath.Join(m.folder, "..data"))
	must.Do(t, os.Symlink(version, filepath.Join(m.folder, "..data_tmp")))
	must.Do(t, os.Rename(filepath.Join(m.folder, "..data_tmp"), filepath.Join(m.folder, "..data")))
	if old != "" {
		must.Do(t, os.RemoveAll(filepath.Join(m.folder, old)))
	}
}

// servingCertificate returns the data of a Secret with a new serving certificate for a DNS name.
func servingCertificate(t *testing.T, ca *certs.Authority, name string) map[string][]byte {
	t.Helper()
	pair := ca.Leaf(t, certs.Leaf{
		Name:  name,
		Hosts: []string{name},
		Usage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	})
	return map[string][]byte{"tls.crt": pair.Certificate, "tls.key": pair.Key}
}

func writeFile(t *testing.T, file string, content []byte) {
	t.Helper()
	must.Do(t, os.WriteFile(file, content, 0o600))
}
