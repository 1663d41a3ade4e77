// Package tarfile writes reproducible tar archives: the same input always produces the same bytes.
package tarfile

import (
	"archive/tar"
	"io"
	"io/fs"
	"strings"
	"time"
)

// Entry is a file or a folder of an archive. The name of a folder ends with a slash.
type Entry struct {
	Name    string
	Mode    fs.FileMode
	Content []byte
}

// Write writes a tar archive of the entries, all with the same modification time and without an owner.
func Write(out io.Writer, modTime time.Time, entries ...Entry) error {
	w := tar.NewWriter(out)
	for _, e := range entries {
		header := &tar.Header{
			Name: e.Name, Typeflag: tar.TypeReg, Mode: int64(e.Mode), Size: int64(len(e.Content)),
			ModTime: modTime, Format: tar.FormatPAX,
		}
		if strings.HasSuffix(e.Name, "/") {
			header.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(header); err != nil {
			return err
		}
		if _, err := w.Write(e.Content); err != nil {
			return err
		}
	}
	return w.Close()
}
