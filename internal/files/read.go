// Package files reads files as a whole, shows how their texts differ, and replaces them atomically, one or many.
package files

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
)

// MaxSize is the size in bytes of the largest file that is edited: GitHub accepts files of up to 100 MiB, other forges
// less by default. The text and its replacement are in memory.
const MaxSize = 100 << 20

// Read reads a file as a whole. Stage needs the returned information to detect that another process changed the file.
func Read(at Location) ([]byte, fs.FileInfo, error) {
	f, err := at.Open()
	if err != nil {
		return nil, nil, at.plainError(err)
	}
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Stat()
	if err != nil {
		return nil, nil, at.plainError(err)
	}
	text, err := ReadAll(f, at.Name, info.Size())
	return text, info, at.plainError(err)
}

// ReadAll reads a stream as a whole. The name is for messages, and size is the expected size in bytes. A stream larger
// than MaxSize is an error.
func ReadAll(r io.Reader, name string, size int64) ([]byte, error) {
	var text bytes.Buffer
	text.Grow(int(min(size, MaxSize)) + bytes.MinRead) // so that the buffer does not grow at the end
	_, err := text.ReadFrom(io.LimitReader(r, MaxSize+1))
	if err == nil && text.Len() > MaxSize {
		err = fmt.Errorf("%s: exceeds %d MiB, the limit for a file that is edited", name, MaxSize>>20)
	}
	return text.Bytes(), err
}
