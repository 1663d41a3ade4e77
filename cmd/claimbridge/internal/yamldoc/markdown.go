package yamldoc

import (
	"bytes"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// IsMarkdown reports whether a file is a page, by its name.
func IsMarkdown(file string) bool {
	return slices.Contains([]string{".md", ".markdown", ".mdx"}, strings.ToLower(filepath.Ext(file)))
}

// fence opens a block: what stands before it, itself, and what it says of what is in the block. It may stand in a list.
var fence = regexp.MustCompile("^((?: *(?:[-*+]|\\d{1,9}[.)]) )* *)(?:(`{3,})([^`\\r\\n]*)|(~{3,})([^\\r\\n]*))\\s*$")

// Blocks returns the blocks of YAML and JSON in a page, as a stream of documents that is as long,
// byte for byte, so that positions in it are those in the page: all else is blank, and fences are
// separators. A block that ends with the list item that contains it, and not with a fence, is not
// returned.
func Blocks(page []byte) []byte {
	blocks := blankCopy(page)
	var open []byte // fence
	var line, begin, end, indent int
	isManifest := false
	for at := 0; at < len(page); at = end {
		lineText, _, _ := bytes.Cut(page[at:], []byte("\n"))
		end = min(at+len(lineText)+1, len(page))
		content := bytes.TrimSpace(page[at:end])
		indentation := bytes.Index(page[at:end], content) // its indentation
		switch {
		case open == nil:
			m := fence.FindSubmatch(page[at:end])
			if m == nil {
				continue
			}
			open, line, begin, indent = slices.Concat(m[2], m[4]), at, end, len(m[1])
			language, _, _ := bytes.Cut(bytes.TrimSpace(slices.Concat(m[3], m[5])), []byte(" "))
			language, _, _ = bytes.Cut(language, []byte(","))
			isManifest = slices.Contains([]string{"yaml", "yml", "json"}, strings.ToLower(string(language)))
		case len(content) >= len(open) && indentation < indent+4 && len(bytes.Trim(content, string(open[:1]))) == 0:
			if isManifest {
				copy(blocks[line:], "---")
				copy(blocks[begin:], page[begin:at])
				copy(blocks[at:], "---")
			}
			open = nil
		case len(content) > 0 && indentation < indent && indent > 1:
			open, end = nil, at // the line is looked at again, as one of the page
		}
	}
	if open != nil && isManifest { // as it is shown: to the end of the page
		copy(blocks[line:], "---")
		copy(blocks[begin:], page[begin:])
	}
	return blocks
}

// blank is a text of as many lines, each as long.
func blankCopy(text []byte) []byte {
	out := bytes.Repeat([]byte{' '}, len(text))
	for i, c := range text {
		if c == '\n' || c == '\r' {
			out[i] = c
		}
	}
	return out
}
