package migrate

import (
	"bytes"
	"regexp"

	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// descriptionPattern matches a line whose field holds text for people: its indentation with the dashes of items, and
// its value.
var descriptionPattern = regexp.MustCompile(
	`^([ \t]*(?:- +)*)["']?(?:description|summary|title|help)["']?[ \t]*:[ \t]+(\S.*)`,
)

// withoutProse returns a text in YAML, or a template of YAML, with the values of descriptions replaced by blanks. Lines
// and columns are unchanged.
func withoutProse(text []byte) []byte {
	result := bytes.Clone(text)
	indent, at := -1, 0 // indent of the current description, or -1
	for line := range bytes.Lines(text) {
		begin := at
		at += len(line)
		column := len(line) - len(bytes.TrimLeft(line, " \t"))
		if indent >= 0 && (column > indent || len(bytes.TrimSpace(line)) == 0) {
			copy(result[begin:at], blanks(line))
			continue
		}
		indent = -1
		if m := descriptionPattern.FindSubmatchIndex(line); m != nil && line[m[4]] != '#' {
			indent = m[3]
			copy(result[begin+m[4]:at], blanks(line[m[4]:]))
		}
	}
	return result
}

// blanks returns a line with all but its end replaced by spaces.
func blanks(line []byte) []byte {
	content := bytes.TrimRight(line, "\r\n")
	return append(bytes.Repeat([]byte{' '}, len(content)), line[len(content):]...)
}

// elisionPattern matches a line with `...` or an ellipsis in place of a value, of items or of fields.
var elisionPattern = regexp.MustCompile(
	`(?m)^[\s\-]*(?:[^#\n]*(?::\s+|[,{\[]\s*))?["']?(?:\.\.\.|…)["']?\s*(?:[,}\]#].*)?$`,
)

// isElided reports whether a document is a part of an object in a page, and names no other version and no moved field.
func (c *Converter) isElided(d *yamldoc.Document) bool {
	text, _ := textOf(d)
	return isElidedPage(d.File, text) && len(c.movedFieldsAndVersionsIn(text, c.templateVersionsIn)) == 0
}

// isElidedPage reports whether a text is from a page of Markdown and leaves out a part of an object.
func isElidedPage(file string, text []byte) bool {
	return yamldoc.IsMarkdown(file) && elisionPattern.Match(text)
}
