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
const Max = 100 << 20

// Read a file as a whole. The information is for Stage, which wants to know whether the file has changed since.
func Read(at Place) ([]byte, fs.FileInfo, error) {
	f, err := at.Open()
	if err != nil {
		return nil, nil, at.plain(err)
	}
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Stat()
	if err != nil {
		return nil, nil, at.plain(err)
	}
	text, err := ReadAll(f, at.Name, info.Size(), "a file that is edited")
	return text, info, at.plain(err)
}

// ReadAll of a stream that has a name for messages, and is expected to have a size. What is edited has the limit.
func ReadAll(r io.Reader, name string, size int64, edited string) ([]byte, error) {
	var text bytes.Buffer
	text.Grow(int(min(size, Max)) + bytes.MinRead) // so that the end is seen without growing
	_, err := text.ReadFrom(io.LimitReader(r, Max+1))
	if err == nil && text.Len() > Max {
		err = fmt.Errorf("%s: is bigger than %d MiB, the limit for %s", name, Max>>20, edited)
	}
	return text.Bytes(), err
}
