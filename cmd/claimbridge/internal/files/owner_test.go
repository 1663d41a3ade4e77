//go:build unix

package files

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Who works as root on somebody's files, as a container does, leaves them theirs; anybody else leaves them their group.
func TestAFileIsReplacedWithItsOwner(t *testing.T) {
	uid, gid := 12345, 23456
	if me := os.Getuid(); me != 0 {
		groups, err := os.Getgroups()
		other := slices.IndexFunc(groups, func(g int) bool { return g != os.Getgid() })
		if err != nil || other < 0 {
			t.Skipf("there is no other group to give a file to: %v", err)
		}
		uid, gid = me, groups[other]
	}
	name := filepath.Join(t.TempDir(), "a")
	write(t, name, "old", 0o640)
	if err := os.Chown(name, uid, gid); err != nil {
		t.Skip(err)
	}
	owned := func() {
		t.Helper()
		info := must.Get(os.Stat(name))(t)
		if stat := info.Sys().(*syscall.Stat_t); int(stat.Uid) != uid || int(stat.Gid) != gid {
			t.Errorf("it is of %d:%d, want %d:%d", stat.Uid, stat.Gid, uid, gid)
		}
	}
	s := stage(t, name, "new")
	write(t, s.temporary+"-was", "", 0o600) // as where there are no links, none can be made
	must.Do(t, s.keep())
	must.Do(t, s.Put())
	owned()
	must.Do(t, s.back())
	owned()
}
