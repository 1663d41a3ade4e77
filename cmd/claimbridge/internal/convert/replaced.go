package convert

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
)

// replaced is the text of a document in its file that says what is wanted: edited, or written anew, where that is wanted and it
// cannot be edited.
func (p *part) replaced(d *manifest.Document, w wanted, rewrite bool) ([]byte, error) {
	source, _, _ := d.Source()
	text, err := p.spliced(d, w)
	switch {
	case err == nil && d.Text() != nil:
		return likeEnd(source, text), nil
	case err == nil:
		return text, nil
	case !rewrite:
		return nil, fmt.Errorf("%w; change it by hand, or let --rewrite write the document anew, without its comments", err)
	case d.Text() == nil:
		return anewJSON(source, w.object)
	}
	return anewYAML(source, w.object)
}

// likeEnd leaves out the line end that a text got, where its source has none.
func likeEnd(source, text []byte) []byte {
	if bytes.HasSuffix(source, []byte("\n")) {
		return text
	}
	return bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
}

// anewYAML writes a document with the comments above its first line, and the line ends of its source.
func anewYAML(source, wanted []byte) ([]byte, error) {
	var b bytes.Buffer
	for line := range bytes.Lines(source) {
		says := bytes.TrimSpace(line)
		if bytes.HasPrefix(line, []byte("---")) {
			b.WriteString("---\n") // with more on the line, which is written anew
		}
		if len(says) > 0 && says[0] != '#' {
			break
		}
		b.Write(bytes.TrimRight(line, "\r\n"))
		b.WriteByte('\n')
	}
	if err := manifest.WriteYAML(&b, wanted); err != nil {
		return nil, err
	}
	text := b.Bytes()
	if bytes.Contains(source, []byte("\r\n")) {
		text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
	}
	return likeEnd(source, text), nil
}

// anewJSON writes an object on as many lines as its source, one or one a member, with the same indentation.
func anewJSON(source, wanted []byte) ([]byte, error) {
	var b bytes.Buffer
	_, below, lines := bytes.Cut(source, []byte("\n"))
	if !lines {
		err := json.Compact(&b, wanted)
		return b.Bytes(), err
	}
	indent := below[:len(below)-len(bytes.TrimLeft(below, " \t"))]
	err := json.Indent(&b, wanted, "", string(indent))
	return b.Bytes(), err
}
