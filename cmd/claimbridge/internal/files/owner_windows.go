package files

import (
	"io/fs"
	"os"
)

// keepOwner has nothing to do: a file takes its owner from its folder.
func keepOwner(*os.File, fs.FileInfo) error { return nil }
