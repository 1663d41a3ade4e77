// Package files reads files as a whole, shows how their texts differ, and replaces them: whole or not at all, one or many.
package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Max is the size in bytes of the biggest file that is edited: GitHub takes files of 100 MiB, other forges less by default. The text
// and what it becomes are in memory.
const Max = 100 << 20

// Read a file as a whole. The information is for Stage, which wants to know whether the file has changed since.
func Read(name string) ([]byte, fs.FileInfo, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, plain(err)
	}
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Stat()
	if err != nil {
		return nil, nil, plain(err)
	}
	text := make([]byte, 0, min(info.Size(), Max)+1) // one more, so that the end is seen without growing
	for {
		n, err := f.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		switch {
		case len(text) > Max:
			return nil, nil, fmt.Errorf("%s: is bigger than %d MiB, the limit for a file that is edited", name, Max>>20)
		case errors.Is(err, io.EOF):
			return text, info, nil
		case err != nil:
			return nil, nil, plain(err)
		case len(text) == cap(text):
			text = append(text, 0)[:len(text)]
		}
	}
}

// plain leaves out which call of the operating system failed.
func plain(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", at.Path, at.Err)
	}
	if at, ok := errors.AsType[*os.LinkError](err); ok {
		return fmt.Errorf("%s: %w", at.New, at.Err)
	}
	return err
}
