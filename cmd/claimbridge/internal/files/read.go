// Package files reads files as a whole, shows how their texts differ, and replaces them: whole or
// not at all, one or many.
package files

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
)

// Max is the size in bytes of the biggest file that is edited: GitHub takes files of 100 MiB, other
// forges less by default. The text and what it becomes are in memory.
const MaxSize = 100 << 20

// Read a file as a whole. The information is for Stage, which wants to know whether the file has changed since.
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
	text, err := ReadAll(f, at.Name, info.Size(), "a file that is edited")
	return text, info, at.plainError(err)
}

// ReadAll of a stream that has a name for messages, and is expected to have a size. What is edited has the limit.
func ReadAll(r io.Reader, name string, size int64, edited string) ([]byte, error) {
	var text bytes.Buffer
	text.Grow(int(min(size, MaxSize)) + bytes.MinRead) // so that the end is seen without growing
	_, err := text.ReadFrom(io.LimitReader(r, MaxSize+1))
	if err == nil && text.Len() > MaxSize {
		err = fmt.Errorf("%s: is bigger than %d MiB, the limit for %s", name, MaxSize>>20, edited)
	}
	return text.Bytes(), err
}
