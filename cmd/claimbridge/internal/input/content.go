package input

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
)

// named tells texts that name an object of resource.k8s.io, or nearly, wherever it stands.
var claimAPIVersion = regexp.MustCompile(`(?i)apiVersion["']?\s*:\s*["']?resource\.k8s\.io\b`)

// holdsNoObject reports whether a file has documents, of which none is an object, as the values of
// a chart. If it mentions one of the words, each has to be readable, and none is half an object, or
// has one in it. Most files are known after a few lines of theirs.
func holdsNoObject(f io.ReaderAt, name string, words []string) bool {
	open := func() io.Reader { return io.NewSectionReader(f, 0, math.MaxInt64) }
	mentions := Mentions(open(), words)
	hasClaimAPIVersion := mentions && claimAPIVersion.MatchReader(bufio.NewReader(open()))
	reader := yamldoc.NewReader(open(), name)
	for documents := 0; ; documents++ {
		d, err := reader.Next()
		_, isInvalid := errors.AsType[*yamldoc.DocumentError](err)
		switch {
		case isInvalid && mentions:
			return false
		case isInvalid:
		case err != nil: // else than at the end it is for reading it to say
			return errors.Is(err, io.EOF) && documents > 0
		case d.APIVersion != "" && d.Kind != "", hasClaimAPIVersion, mentions && (d.APIVersion != "" || d.Kind != ""):
			return false
		}
	}
}

// Mentions reports whether a text has one of the words. What may be UTF-16 may have them all.
func Mentions(r io.Reader, words []string) bool {
	const chunkSize = 64 << 10
	longest := 0
	for _, word := range words {
		longest = max(longest, len(word))
	}
	buffer := make([]byte, 0, chunkSize+longest)
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

// InChart reports whether a file is one of those that a chart renders.
func InChart(file string) bool {
	if file == StandardInput {
		return false
	}
	file, err := filepath.Abs(file)
	if err != nil {
		return false
	}
	for folder := filepath.Dir(file); folder != filepath.Dir(folder); folder = filepath.Dir(folder) {
		if filepath.Base(folder) != "templates" {
			continue
		}
		if _, err := os.Stat(filepath.Join(filepath.Dir(folder), "Chart.yaml")); err == nil {
			return true
		}
	}
	return false
}
