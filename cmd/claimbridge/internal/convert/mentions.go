package convert

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
)

// mention of a version of resource.k8s.io in any text: in an apiVersion or a runtime-config, in the import of a Go program, or as kubectl
// names resources.
var mention = regexp.MustCompile(`\b(?:resource\.k8s\.io|k8s\.io/api/resource)/(v1(?:(?:alpha|beta)\d+)?)\b|\.(v1(?:(?:alpha|beta)\d+)?)\.resource\.k8s\.io\b`)

// mentions of other versions in a text that begins at a line of a file.
func (p *part) mentions(file string, document, line int, text []byte) {
	for ; len(text) > 0; line++ {
		row, rest, _ := bytes.Cut(text, []byte("\n"))
		text = rest
		told := map[string]bool{}
		for _, m := range mention.FindAllSubmatchIndex(row, -1) {
			from, to := m[2], m[3]
			if from < 0 {
				from, to = m[4], m[5]
			}
			version := string(row[from:to])
			if _, known := api.Find(version); !known || version == p.to || told[version] {
				continue
			}
			told[version] = true
			at := finding.Place{File: file, Document: document, Line: line, Column: len([]rune(string(row[:m[0]]))) + 1}
			p.log.Text(at, problems.What{Rule: finding.TextMention, Text: fmt.Sprintf("names %s of %s", version, api.Group)})
		}
	}
}

// documentMentions are those in a document that passes through. What is an object of the group, or was looked through for more than
// words, has its own findings.
func (p *part) documentMentions(d *manifest.Document) {
	if p.also && !p.groups.Names(d.APIVersion) {
		p.mentions(d.File, d.Document, d.FirstLine(), d.Text())
	}
}

// maxText in bytes of a file that is searched, and is read whole for that: what a document may have.
const maxText = manifest.MaxDocument

// textMentions are those in a file that is no manifest. One that holds a NUL near its beginning is no text, as git sees it.
func (p *part) textMentions(file string) {
	text, err := readText(file)
	if err != nil {
		if at, ok := errors.AsType[*fs.PathError](err); ok {
			err = at.Err
		}
		p.log.Text(finding.Place{File: file}, problems.What{Rule: finding.UnsearchedText, Text: err.Error()})
		return
	}
	const near = 8000
	if bytes.IndexByte(text[:min(len(text), near)], 0) < 0 {
		p.mentions(file, 0, 1, text)
	}
}

func readText(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	text, err := io.ReadAll(io.LimitReader(f, maxText+1))
	if err == nil && len(text) > maxText {
		err = fmt.Errorf("is bigger than %d MiB, and was not searched", maxText>>20)
	}
	return text, err
}
