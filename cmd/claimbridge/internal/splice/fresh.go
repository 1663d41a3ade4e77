package splice

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// fresh writes an entry that nothing was said of before, in a block at a column.
func (w *writer) fresh(m *entry, col int) {
	if !w.behind {
		w.spaces(col)
	}
	w.behind = false
	if m.isItem() {
		w.put("-")
	} else {
		w.inline(&node{isText: true, text: m.key}, 0, false)
		w.put(":")
	}
	w.fill(m.value, col, m.isItem(), nil)
}

// fill writes a value behind a key or a dash that stands at a column, and a comment on its line.
func (w *writer) fill(v *node, col int, item bool, comment []byte) {
	gap := 1
	if item {
		gap = w.style.dash - 1
	}
	switch {
	case v.kind == scalar && v.isText && manifest.SuitsLiteral(v.text):
		w.spaces(gap)
		w.literal(v.text, col+w.style.step, comment)
		return
	case v.kind == scalar || len(v.entries) == 0:
		w.spaces(gap)
		w.inline(v, 0, false)
		w.out = append(w.out, comment...)
		w.put(w.style.eol)
		return
	}
	inner := col + w.style.step
	switch {
	case item:
		inner = col + w.style.dash
	case v.kind == sequence:
		inner = col + w.style.sequence
	}
	if item && len(comment) == 0 {
		w.spaces(gap)
		w.behind = true
	} else {
		w.out = append(w.out, comment...)
		w.put(w.style.eol)
	}
	for _, p := range arrange(nil, v) {
		w.place(p.wanted, inner)
	}
}

// literal writes a text of several lines at a column.
func (w *writer) literal(text string, col int, comment []byte) {
	trimmed := strings.TrimRight(text, "\n")
	switch len(text) - len(trimmed) {
	case 0:
		w.put("|-")
	case 1:
		w.put("|")
	default:
		w.put("|+")
	}
	w.out = append(w.out, comment...)
	w.put(w.style.eol)
	for _, line := range strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n") {
		if line = strings.TrimSuffix(line, "\n"); line != "" {
			w.spaces(col)
		}
		w.put(line, w.style.eol)
	}
}

// inline writes a scalar, or an empty value, in quotes where it had some.
func (w *writer) inline(v *node, quote byte, flow bool) {
	switch text := v.text; {
	case v.kind == mapping:
		w.put("{}")
	case v.kind == sequence:
		w.put("[]")
	case !v.isText:
		w.put(text)
	case w.json:
		w.out = kjson.AppendQuoted(w.out, text)
	case quote == '"':
		w.put(doubleQuoted(text))
	case quote != '\'' && manifest.QuoteOf(text) == 0 && (!flow || !strings.ContainsAny(text, ",[]{}?:")):
		w.put(text)
	case manifest.SuitsSingleQuotes(text) && (quote == '\'' || manifest.QuoteOf(text) != '"'):
		w.put("'", strings.ReplaceAll(text, "'", "''"), "'")
	default:
		w.put(doubleQuoted(text))
	}
}

// doubleQuoted writes a text with the escapes that every parser of YAML knows.
func doubleQuoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\u0085' || r == '\u2028' || r == '\u2029': // as the library has them
			b.WriteString(map[rune]string{'\u0085': `\N`, '\u2028': `\L`, '\u2029': `\P`}[r])
		case unicode.IsPrint(r) && r != '\ufeff':
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08X`, r)
		default:
			fmt.Fprintf(&b, `\u%04X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
