package convert

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/files"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
)

// versionPattern is how versions are named; those of Go's clients begin with a capital letter.
const versionPattern = `([vV]\d+(?:(?:alpha|beta)\d+)?)`

// namesVersion in an apiVersion or a runtime-config, as kubectl names resources, in Go: an import, a group with its version, a client, and
// the clients of other languages.
var namesVersion = regexp.MustCompile(`\bresource\.k8s\.io/` + versionPattern + `\b|\b\w+\.` + versionPattern + `\.resource\.k8s\.io\b` +
	`|\bk8s\.io/[\w./-]*/resource/` + versionPattern + `\b|"resource\.k8s\.io",\s*Version:\s*"` + versionPattern + `"|\bResource` + versionPattern + `(?:\(\)|Api\b)`)

// versionsIn a text, those that there are.
func versionsIn(text []byte) (all []left) {
	if !bytes.Contains(text, []byte(api.Group)) && !bytes.Contains(text, []byte("/resource/")) && !bytes.Contains(text, []byte("ResourceV1")) {
		return nil // as most texts, which need no closer look
	}
	for _, m := range namesVersion.FindAllSubmatchIndex(text, -1) {
		groups := m[2:]
		of := slices.IndexFunc(groups, func(at int) bool { return at >= 0 })
		from, end := groups[of], groups[of+1]
		before, name, after := string(text[m[0]:from]), string(text[from:end]), string(text[end:m[1]])
		version := strings.ToLower(name)
		if _, known := api.Find(version); !known {
			continue
		}
		all = append(all, left{at: m[0], version: version, instead: func(to string) string {
			write := "write " + before + name[:1] + to[1:] + after
			if strings.HasPrefix(before, "k8s.io/api/") && api.HasExactly(to) && !api.HasExactly(version) {
				write += ", where what a DeviceRequest asks for stands in Exactly: &ExactDeviceRequest{DeviceClassName: ...}"
			}
			return write
		}})
	}
	return all
}

// mentions of other versions in a text that begins at a line of a file: in all its lines but those of which something was said, or in those
// that are still there in what it becomes.
func (p *part) mentions(file string, document, line int, text, becomes []byte, said ...problems.Said) {
	var rows []string
	stays := map[string]bool{}
	if becomes != nil {
		rows = rowsOf(text)
		for _, row := range rowsOf(becomes) {
			stays[row] = true
		}
	}
	last, version := 0, ""
	for _, m := range placed(text, versionsIn(text)) {
		at := line + m.line
		if m.version == p.to || at == last && m.version == version || becomes != nil && !stays[rows[m.line]] ||
			slices.ContainsFunc(said, func(s problems.Said) bool { return s.Line == at }) {
			continue
		}
		first := min(at-last, 1)
		last, version = at, m.version
		if !p.Also {
			p.mentioned.take(mentioned{{file, m.version}: first})
			continue
		}
		place := finding.Place{File: file, Document: document, Line: at, Column: m.column + 1}
		p.log.Text(place, problems.What{Rule: finding.TextMention, Text: fmt.Sprintf("names %s of %s; %s", m.version, api.Group, m.instead(p.to))})
	}
}

// rowsOf a text are its lines without their ends.
func rowsOf(text []byte) (rows []string) {
	for row := range bytes.Lines(text) {
		rows = append(rows, string(bytes.TrimRight(row, "\r\n")))
	}
	return rows
}

// maxText in bytes of a file that is searched, and is read whole for that: what a document may have.
const maxText = manifest.MaxDocument

// textMentions are those in a file that is no manifest.
func (p *part) textMentions(file files.Place) {
	text, err := readText(file)
	if err != nil && p.Also {
		if at, ok := errors.AsType[*fs.PathError](err); ok {
			err = at.Err
		}
		p.log.Text(finding.Place{File: file.Name}, problems.What{Rule: finding.UnsearchedText, Text: err.Error()})
		return
	}
	p.mentions(file.Name, 0, 1, text, nil)
}

// readText of a file. One that holds a NUL near its beginning is no text, as git sees it.
func readText(file files.Place) ([]byte, error) {
	const near = 8000
	f, err := file.Open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	r := bufio.NewReaderSize(f, near)
	if head, _ := r.Peek(near); bytes.IndexByte(head, 0) >= 0 {
		return nil, nil
	}
	text, err := io.ReadAll(io.LimitReader(r, maxText+1))
	if err == nil && len(text) > maxText {
		err = fmt.Errorf("is bigger than %d MiB, and was not searched", maxText>>20)
	}
	return text, err
}
