package yamldoc

import (
	"bytes"
	"fmt"
)

// A line `...` ends a YAML document, and only a line `---` begins another one that kubectl reads: its decoder
// (k8s.io/apimachinery/pkg/util/yaml, NewYAMLOrJSONDecoder) splits a stream at `---` alone. sigs.k8s.io/yaml then reads
// only the first YAML document of each piece. If the piece begins with `...`, that document is empty. So content after
// `...` must not be converted, and content before it must not be converted as if it were the whole document.

// isEndMarker reports whether a line ends a document without beginning another one.
func isEndMarker(line []byte) bool { return isMarker(line) && line[0] == '.' }

// endsDocument reports whether the text that begins with a line `...` holds nothing but blank lines, comments and
// directives up to the next `---` or its end.
func endsDocument(text []byte) bool {
	marker, rest, _ := bytes.Cut(text, []byte("\n"))
	if content := bytes.TrimSpace(marker[len("..."):]); len(content) > 0 && content[0] != '#' {
		return false
	}
	for line := range bytes.Lines(rest) {
		content := bytes.TrimSpace(line)
		switch {
		case isMarker(line) && !isEndMarker(line):
			return true
		case isEndMarker(line), len(content) == 0, content[0] == '#', line[0] == '%':
		default:
			return false
		}
	}
	return true
}

// contentAfterEnd returns an error with the line of the first `...` in a document that has content after it, or nil.
func (d *Document) contentAfterEnd() error {
	if !bytes.HasPrefix(d.Text, []byte("...")) && !bytes.Contains(d.Text, []byte("\n...")) {
		return nil
	}
	number := d.FirstLine
	at := 0
	for line := range bytes.Lines(d.Text) {
		if isEndMarker(line) && !endsDocument(d.Text[at:]) {
			return &LocationError{Line: number, error: fmt.Errorf("line %d: `...` ends the document, and kubectl "+
				"ignores what follows; remove the line, or write `---` in its place if another document begins there", number)}
		}
		number++
		at += len(line)
	}
	return nil
}
