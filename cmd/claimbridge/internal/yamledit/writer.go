package yamledit

import (
	"strconv"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// writer writes the result, from its beginning to its end.
type writer struct {
	*source
	style       style
	out         []byte
	lineBegin   int  // where the last line begins that has a key or a dash
	isAfterDash bool // it ends with a dash, behind which the next key stands
	stranded    []int
}

func (w *writer) isTooLarge() bool { return len(w.out) > maxResult }

func (w *writer) write(text ...string) {
	for _, t := range text {
		w.out = append(w.out, t...)
	}
}

func (w *writer) copyText(begin, end int) { w.write(w.text[begin:max(begin, end)]) }

func (w *writer) writeSpaces(n int) {
	if !w.isTooLarge() { // written again, values may be nested deep
		w.write(strings.Repeat(" ", n))
	}
}

// comments writes lines of comments and blank lines. Before a key behind a dash they go above the
// dash, indented as that.
func (w *writer) writeComments(text string) {
	switch {
	case !w.isAfterDash:
		w.write(text)
		return
	case strings.TrimSpace(text) == "":
		return
	}
	dash := string(w.out[w.lineBegin:])
	w.out = w.out[:w.lineBegin]
	for line := range strings.Lines(text) {
		if content := strings.TrimLeft(line, " \t"); strings.TrimSpace(content) != "" {
			w.write(indentation(dash), content)
		} else {
			w.write(w.style.eol)
		}
	}
	w.lineBegin = len(w.out)
	w.write(dash)
}

// indent begins the line of a key at a column, unless it stands behind a dash.
func (w *writer) beginLine(col int) {
	if !w.isAfterDash {
		w.lineBegin = len(w.out)
		w.writeSpaces(col)
	}
	w.isAfterDash = false
}

func indentation(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

// indentOf the line of an offset.
func (w *writer) indentOf(at int) string { return indentation(w.text[w.lines.lineAt(at).begin:at]) }

// shift indents lines by so much more, or less where it is negative. Empty lines stay empty.
func shift(text string, by int, first bool) string {
	var out strings.Builder
	for begin := 0; begin < len(text); {
		end, next := lineEnd(text, begin)
		line := text[begin:end]
		if line != "" && (begin > 0 || first) {
			spaces := len(line) - len(strings.TrimLeft(line, " "))
			line = strings.Repeat(" ", max(by, 0)) + line[min(max(-by, 0), spaces):]
		}
		out.WriteString(line + text[end:next])
		begin = next
	}
	return out.String()
}

// keyText is the key as it stands, or another one in the same quotes.
func (w *writer) keyText(e *entry, key string) string {
	text := w.text[e.keyBegin:e.keyEnd]
	switch {
	case key == e.key:
		return text
	case text[0] == '"':
		return string(objectjson.Quote(key))
	case text[0] == '\'':
		return "'" + key + "'"
	}
	return key
}

// inline writes a scalar, or an empty value, in quotes where it had some.
func (w *writer) writeScalar(v *node, quote byte, flow bool) {
	switch text := v.text; {
	case v.kind != scalar:
		w.write(v.brackets())
	case !v.isText:
		w.write(text)
	case w.isJSON:
		w.write(string(objectjson.Quote(text)))
	case quote != '"' && quote != '\'' && yamldoc.QuoteOf(text) == 0 &&
		(!flow || !strings.ContainsAny(text, ",[]{}?:")):
		w.write(text)
	case quote != '"' && yamldoc.SuitsSingleQuotes(text) && (quote == '\'' || yamldoc.QuoteOf(text) != '"'):
		w.write("'", strings.ReplaceAll(text, "'", "''"), "'")
	default: // with the escapes of Go, all of which YAML has, but for those that its own writer has shorter
		w.write(yamlEscapes.Replace(strconv.Quote(text)))
	}
}

var yamlEscapes = strings.NewReplacer(`\\`, `\\`, `\u0085`, `\N`, `\u2028`, `\L`, `\u2029`, `\P`)
