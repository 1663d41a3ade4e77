package yamldoc

import (
	"bytes"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// IsMarkdown reports whether a file is a Markdown page, by its name.
func IsMarkdown(file string) bool {
	return slices.Contains([]string{".md", ".markdown", ".mdx"}, strings.ToLower(filepath.Ext(file)))
}

// fencePattern matches the line that opens a block. Its groups are the text before the fence, the fence, and the info
// string. A fence may be in a list.
var fencePattern = regexp.MustCompile(
	"^((?: *(?:[-*+]|\\d{1,9}[.)]) )* *)(?:(`{3,})([^`\\r\\n]*)|(~{3,})([^\\r\\n]*))\\s*$",
)

// Blocks returns the YAML and JSON blocks of a page as a stream of documents. It has the length of the page, so that
// positions are the same: other text is blank, and fences are separators. A block that ends with its list item, and not
// with a fence, is not returned.
func Blocks(page []byte) []byte {
	blocks := blankCopy(page)
	var open []byte // fence
	var line, begin, end, indent int
	isManifest := false
	for at := 0; at < len(page); at = end {
		lineText, _, _ := bytes.Cut(page[at:], []byte("\n"))
		end = min(at+len(lineText)+1, len(page))
		content := bytes.TrimSpace(page[at:end])
		indentation := bytes.Index(page[at:end], content) // columns before the content
		switch {
		case open == nil:
			m := fencePattern.FindSubmatch(page[at:end])
			if m == nil {
				continue
			}
			open = slices.Concat(m[2], m[4])
			line = at
			begin = end
			indent = len(m[1])
			language, _, _ := bytes.Cut(bytes.TrimSpace(slices.Concat(m[3], m[5])), []byte(" "))
			language, _, _ = bytes.Cut(language, []byte(","))
			isManifest = slices.Contains([]string{"yaml", "yml", "json"}, strings.ToLower(string(language)))
		case len(content) >= len(open) && indentation < indent+4 && len(bytes.Trim(content, string(open[:1]))) == 0:
			if isManifest {
				copy(blocks[line:], "---")
				copyBlock(blocks[begin:], page[begin:at], indent)
				copy(blocks[at:], "---")
			}
			open = nil
		case len(content) > 0 && indentation < indent && indent > 1:
			open, end = nil, at // the line is read again as a part of the page
		}
	}
	if open != nil && isManifest { // an open block extends to the end of the page
		copy(blocks[line:], "---")
		copyBlock(blocks[begin:], page[begin:], indent)
	}
	return blocks
}

// copyBlock copies a block whose fence has an indentation, which Markdown removes from each line. A separator must
// begin its line, so it is moved there.
func copyBlock(to, block []byte, indent int) {
	for line := range bytes.Lines(block) {
		copy(to, line)
		content := bytes.TrimLeft(line, " ")
		removed := len(line) - len(content)
		if 0 < removed && removed <= indent && string(bytes.TrimSpace(content)) == "---" {
			copy(to, "---"+strings.Repeat(" ", removed))
		}
		to = to[len(line):]
	}
}

// blankCopy returns a text with the same line ends, and spaces in the place of all other bytes.
func blankCopy(text []byte) []byte {
	out := bytes.Repeat([]byte{' '}, len(text))
	for i, c := range text {
		if c == '\n' || c == '\r' {
			out[i] = c
		}
	}
	return out
}
