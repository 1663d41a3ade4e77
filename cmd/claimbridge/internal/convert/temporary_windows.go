package convert

import (
	"crypto/rand"
	"os"
	"path/filepath"
)

// deleteOnClose is FILE_FLAG_DELETE_ON_CLOSE, which os.OpenFile hands on: Windows removes the file when its last handle is
// closed, as it is when a process ends in whatever way.
const deleteOnClose = 0x04000000

// temporary is a file that is gone as soon as nobody has it open.
func temporary() (*os.File, error) {
	name := filepath.Join(os.TempDir(), "claimbridge-"+rand.Text())
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL|deleteOnClose, 0o600)
}
