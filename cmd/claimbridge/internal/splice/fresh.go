package splice

import (
	"strconv"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// fill writes a value behind a key or a dash that stands at a column, and a comment on its line.
func (w *writer) fill(v *node, col int, item bool, comment []byte) {
	gap, inner := 1, col+w.style.step
	switch {
	case item:
		gap, inner = w.style.dash-1, col+w.style.dash
	case v.kind == sequence:
		inner = col + w.style.sequence
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
	case item && len(comment) == 0:
		w.spaces(gap)
		w.holdBack()
	default:
		w.out = append(w.out, comment...)
		w.put(w.style.eol)
	}
	for _, m := range v.entries {
		w.place(m, inner)
	}
}

// literal writes a text of several lines at a column.
func (w *writer) literal(text string, col int, comment []byte) {
	trimmed := strings.TrimRight(text, "\n")
	w.put([]string{"|-", "|", "|+"}[min(len(text)-len(trimmed), 2)])
	w.out = append(w.out, comment...)
	w.put(w.style.eol)
	for line := range strings.Lines(text) {
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

// doubleQuoted has the escapes of Go, all of which YAML knows, but for those that YAML's own writer has shorter.
func doubleQuoted(text string) string { return shorter.Replace(strconv.Quote(text)) }

var shorter = strings.NewReplacer(`\\`, `\\`, `\u0085`, `\N`, `\u2028`, `\L`, `\u2029`, `\P`)
