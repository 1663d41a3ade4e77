package splice

import (
	"strconv"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// fill writes a value behind a key or a dash that stands at a column, and a comment on its line.
func (w *writer) fill(v *node, col int, item bool, comment string) {
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
	case v.kind == scalar || len(v.entries) == 0:
		w.spaces(gap)
		w.inline(v, 0, false)
		w.put(comment, w.style.eol)
	case item && comment == "":
		w.spaces(gap)
		w.holdBack()
	default:
		w.put(comment, w.style.eol)
	}
	for _, m := range v.entries {
		w.place(m, inner)
	}
}

// literal writes a text of several lines at a column.
func (w *writer) literal(text string, col int, comment string) {
	ends := len(text) - len(strings.TrimRight(text, "\n"))
	w.put([]string{"|-", "|", "|+"}[min(ends, 2)], comment, w.style.eol)
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
		w.put(string(kjson.Quote(text)))
	case quote != '"' && quote != '\'' && manifest.QuoteOf(text) == 0 && (!flow || !strings.ContainsAny(text, ",[]{}?:")):
		w.put(text)
	case quote != '"' && manifest.SuitsSingleQuotes(text) && (quote == '\'' || manifest.QuoteOf(text) != '"'):
		w.put("'", strings.ReplaceAll(text, "'", "''"), "'")
	default: // with the escapes of Go, all of which YAML has, but for those that its own writer has shorter
		w.put(shorter.Replace(strconv.Quote(text)))
	}
}

var shorter = strings.NewReplacer(`\\`, `\\`, `\u0085`, `\N`, `\u2028`, `\L`, `\u2029`, `\P`)
