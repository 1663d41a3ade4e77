//go:build linux || darwin

package files

import (
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestExtendedAttributesAreKept(t *testing.T) {
	const attribute = "user.note"
	name := filepath.Join(t.TempDir(), "a")
	write(t, name, "old", 0o600)
	if err := unix.Setxattr(name, attribute, []byte("mine"), 0); err != nil {
		t.Skip(err) // the file system has none
	}
	must.Do(t, stage(t, name, "new").Put())
	value := make([]byte, 16)
	n, err := unix.Getxattr(name, attribute, value)
	if err != nil || string(value[:n]) != "mine" {
		t.Errorf("%q, %v", value[:max(n, 0)], err)
	}
}
