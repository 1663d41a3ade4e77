//go:build e2e

package certificates

import (
	"crypto/x509"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/certs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// mount of a Secret, as a kubelet makes one: the files are links through ..data to a folder that is never written twice,
// and ..data is swapped in one step.
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
	pair := ca.Leaf(t, certs.Leaf{Name: name, Hosts: []string{name}, Usage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}})
	return map[string][]byte{"tls.crt": pair.Certificate, "tls.key": pair.Key}
}

func put(t *testing.T, file string, content []byte) {
	t.Helper()
	must.Do(t, os.WriteFile(file, content, 0o600))
}
