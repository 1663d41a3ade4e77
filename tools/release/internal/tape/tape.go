// Package tape writes reproducible archives: the same input always has the same bytes.
package tape

import (
	"archive/tar"
	"io"
	"io/fs"
	"strings"
	"time"
)

// Entry of an archive. A folder's name ends with a slash.
type Entry struct {
	Name    string
	Mode    fs.FileMode
	Content []byte
}

// Tar writes entries with one time and without an owner.
func Tar(to io.Writer, at time.Time, entries ...Entry) error {
	w := tar.NewWriter(to)
	for _, e := range entries {
		header := &tar.Header{
			Name: e.Name, Typeflag: tar.TypeReg, Mode: int64(e.Mode), Size: int64(len(e.Content)),
			ModTime: at, Format: tar.FormatPAX,
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
