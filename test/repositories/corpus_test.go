//go:build e2e

package repositories

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// placeOf a document in its repository is the comment that the corpus has above it.
var placeOf = regexp.MustCompile(`^# (\S+) @ \S+\n`)

// unpacked puts the documents of a file of the corpus where their authors had them.
func unpacked(t *testing.T, corpus, to string) {
	t.Helper()
	text := must.Get(os.ReadFile(corpus))(t)
	files := map[string][]byte{}
	for document := range bytes.SplitSeq(text, []byte("\n---\n")) {
		document = append(bytes.TrimSuffix(document, []byte("\n")), '\n')
		place := placeOf.FindSubmatch(document)
		if place == nil {
			continue // what is said of the corpus itself
		}
		name := string(place[1])
		if len(files[name]) > 0 {
			files[name] = append(files[name], "---\n"...)
		}
		files[name] = append(files[name], document[len(place[0]):]...)
	}
	for name, text := range files {
		file := filepath.Join(to, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must.Do(t, os.WriteFile(file, text, 0o644))
	}
}
