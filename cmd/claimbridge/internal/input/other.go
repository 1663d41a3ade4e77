package input

import (
	"bytes"
	"errors"
	"io"
	"os"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
)

// isOther reports whether a file of a folder is nothing that is looked for: it holds no object, as the values of a chart, and mentions
// none of the words, unless it is a description of APIs. Most files are known after a few lines of theirs. The error is one of opening it.
func (in *Input) isOther(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer func() { _ = f.Close() }() // it was only read
	mentions := Mentions(f, in.Words)
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return false, nil // for reading it to say
	}
	return holdsNoObject(f, path, mentions), nil
}

// IsOther reports the same of the text of a file.
func IsOther(text []byte, name string, words []string) bool {
	return holdsNoObject(bytes.NewReader(text), name, Mentions(bytes.NewReader(text), words))
}

// holdsNoObject reports whether a file has documents, of which none is an object. If it mentions what is looked for, each has to say
// what else it is.
func holdsNoObject(r io.Reader, name string, mentions bool) bool {
	reader, documents := manifest.NewReader(r, name), 0
	for {
		d, err := reader.Next()
		_, bad := errors.AsType[*manifest.DocumentError](err)
		switch {
		case bad && mentions:
			return false
		case bad:
			documents++
		case err != nil:
			return errors.Is(err, io.EOF) && documents > 0
		case d.APIVersion != "" && d.Kind != "":
			return false
		case mentions && !d.IsDescription():
			return false
		default:
			documents++
		}
	}
}

// Mentions reports whether a text has one of the words. What may be UTF-16 may have them all.
func Mentions(r io.Reader, words []string) bool {
	const room = 64 << 10
	longest := 0
	for _, word := range words {
		longest = max(longest, len(word))
	}
	buffer := make([]byte, 0, room+longest)
	for first := true; ; first = false {
		n, err := io.ReadFull(r, buffer[len(buffer):cap(buffer)])
		buffer = buffer[:len(buffer)+n]
		if first && (bytes.HasPrefix(buffer, []byte("\xff\xfe")) || bytes.HasPrefix(buffer, []byte("\xfe\xff"))) {
			return true
		}
		for _, word := range words {
			if bytes.Contains(buffer, []byte(word)) {
				return true
			}
		}
		if err != nil {
			return false // at the end, or for whoever reads it to say
		}
		buffer = append(buffer[:0], buffer[len(buffer)-longest:]...) // a word may go on
	}
}
