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

	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// claimAPIVersion matches an apiVersion of resource.k8s.io anywhere in a text, in any case.
var claimAPIVersion = regexp.MustCompile(`(?i)apiVersion["']?\s*:\s*["']?resource\.k8s\.io\b`)

// holdsNoObject reports whether a file has at least one document, and none is a Kubernetes object. An example is the
// values file of a chart. If the file contains one of the words, it may be about claims: every document must then be
// readable, and none may have an apiVersion of resource.k8s.io, or only one of apiVersion and kind. For most files, the
// first few lines decide.
func holdsNoObject(f io.ReaderAt, name string, words []string) bool {
	open := func() io.Reader { return io.NewSectionReader(f, 0, math.MaxInt64) }
	mentions := containsWord(open(), words)
	hasClaimAPIVersion := mentions && claimAPIVersion.MatchReader(bufio.NewReader(open()))
	reader := yamldoc.NewReader(open(), name)
	for documents := 0; ; documents++ {
		d, err := reader.Next()
		_, isInvalid := errors.AsType[*yamldoc.DocumentError](err)
		switch {
		case isInvalid && mentions:
			return false
		case isInvalid:
		case err != nil: // other errors are reported when the file is read
			return errors.Is(err, io.EOF) && documents > 0
		case d.APIVersion != "" && d.Kind != "", hasClaimAPIVersion, mentions && (d.APIVersion != "" || d.Kind != ""):
			return false
		}
	}
}

// containsWord reports whether a text has one of the words. It is true for UTF-16, in which words are not found.
func containsWord(r io.Reader, words []string) bool {
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
			return false // an error is reported when the file is read
		}
		buffer = append(buffer[:0], buffer[len(buffer)-longest:]...) // a word may continue in the next chunk
	}
}

// InChart reports whether a file is a template of a Helm chart.
func InChart(file string) bool {
	if file == StandardInput {
		return false
	}
	file, err := filepath.Abs(file)
	if err != nil {
		return false
	}
	for dir := filepath.Dir(file); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if filepath.Base(dir) != "templates" {
			continue
		}
		if _, err := os.Stat(filepath.Join(filepath.Dir(dir), "Chart.yaml")); err == nil {
			return true
		}
	}
	return false
}
