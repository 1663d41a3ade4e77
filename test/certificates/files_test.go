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

// served gives the certificate of a replica.
func (r *replica) served(t *testing.T) *x509.Certificate {
	t.Helper()
	//nolint:gosec // to look at it
	connection := must.Get(tls.Dial("tcp", r.Addr().String(), &tls.Config{InsecureSkipVerify: true}))(t)
	defer func() { _ = connection.Close() }()
	return connection.ConnectionState().PeerCertificates[0]
}

func (r *replica) serves(t *testing.T, certificate []byte) bool {
	return bytes.Equal(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: r.served(t).Raw}), certificate)
}

// halfWritten is the time between two parts of a file that is not written atomically. The server may read it in
// between, and no call may be lost.
const halfWritten = 50 * time.Millisecond

// TestFilesLoseNoData replaces certificates in a mounted Secret and in plain files, also in two parts, and then the CA
// in the two steps of the documentation.
func TestFilesLoseNoData(t *testing.T) {
	t.Parallel()
	i := install(t, "files", config.Files)
	first, second := certs.New(t, "first", certs.Day), certs.New(t, "second", certs.Day)
	i.setBundle(t, first.Certificate)
	data := serving(t, first, i.dnsName())
	mounted, folder := newMount(t, data), t.TempDir()
	files := func(data map[string][]byte) {
		for _, name := range []string{"tls.crt", "tls.key"} { // not in one step, and each in two
			put(t, filepath.Join(folder, name), data[name][:len(data[name])/2])
			time.Sleep(halfWritten)
			put(t, filepath.Join(folder, name), data[name])
			time.Sleep(halfWritten)
		}
	}
	files(data)
	replicas := []*replica{
		i.startReplica(t, servingcerts.FilesInDir(mounted.folder), webhook.Options{}),
		i.startReplica(t, servingcerts.FilesInDir(folder), webhook.Options{}),
	}
	await.NoError(t, "both are ready", func() error { return i.service.isReady(2) })
	await.NoError(t, "the bundle is trusted", func() error { return i.convertOnce(t) })
	load := i.begin(t)
	replace := func(ca *certs.Authority) {
		data := serving(t, ca, i.dnsName())
		mounted.write(t, data)
		files(data)
		for _, r := range replicas {
			await.True(t, "the new leaf is served", func() bool { return r.serves(t, data["tls.crt"]) })
		}
	}
	replace(first)
	replace(first)
	i.setBundle(t, slices.Concat(first.Certificate, second.Certificate))
	i.awaitHeard(t) // in a cluster a minute, for every API server
	replace(second)
	i.setBundle(t, second.Certificate)
	replace(second)
	load.end(t)
}

// mount of a Secret, as a kubelet makes one: the files are links through ..data to a folder that is
// never written twice, and ..data is swapped in one step.
type mount struct {
	folder  string
	version int
}

func newMount(t *testing.T, data map[string][]byte) *mount {
	t.Helper()
	m := &mount{folder: t.TempDir()}
	m.write(t, data)
	for name := range data {
		must.Do(t, os.Symlink(filepath.Join("..data", name), filepath.Join(m.folder, name)))
	}
	return m
}

func (m *mount) write(t *testing.T, data map[string][]byte) {
	t.Helper()
	m.version++
	version := fmt.Sprintf("..%d", m.version)
	data = map[string][]byte{"tls.crt": data["tls.crt"], "tls.key": data["tls.key"]}
	must.Do(t, os.Mkdir(filepath.Join(m.folder, version), 0o700))
	for name, content := range data {
		put(t, filepath.Join(m.folder, version, name), content)
	}
	old, _ := os.Readlink(filepath.Join(m.folder, "..data"))
	must.Do(t, os.Symlink(version, filepath.Join(m.folder, "..data_tmp")))
	must.Do(t, os.Rename(filepath.Join(m.folder, "..data_tmp"), filepath.Join(m.folder, "..data")))
	if old != "" {
		must.Do(t, os.RemoveAll(filepath.Join(m.folder, old)))
	}
}

// serving certificate for a name, as a Secret has it.
func serving(t *testing.T, ca *certs.Authority, name string) map[string][]byte {
	t.Helper()
	pair := ca.Leaf(t, certs.Leaf{
		Name:  name,
		Hosts: []string{name},
		Usage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	})
	return map[string][]byte{"tls.crt": pair.Certificate, "tls.key": pair.Key}
}

func put(t *testing.T, file string, content []byte) {
	t.Helper()
	must.Do(t, os.WriteFile(file, content, 0o600))
}
