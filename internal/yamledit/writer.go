package yamledit

import (
	"strconv"
	"strings"

	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// writer writes the result, from its beginning to its end.
type writer struct {
	*source
	style       style
	out         []byte
	lineBegin   int  // beginning of the last line with a key or a dash
	isAfterDash bool // that line ends with a dash, and the next key follows it
	stranded    []int
}

func (w *writer) isTooLarge() bool { return len(w.out) > maxResultBytes }

func (w *writer) write(text ...string) {
	for _, t := range text {
		w.out = append(w.out, t...)
	}
}

func (w *writer) copyText(begin, end int) { w.write(w.text[begin:max(begin, end)]) }

func (w *writer) writeSpaces(n int) {
	if !w.isTooLarge() { // rewritten values may be nested deep
		w.write(strings.Repeat(" ", n))
	}
}

// writeComments writes comment lines and blank lines. Before a key after a dash they are written above the dash, with
// its indentation.
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

// beginLine begins the line of a key at a column, unless the key follows a dash.
func (w *writer) beginLine(col int) {
	if !w.isAfterDash {
		w.lineBegin = len(w.out)
		w.writeSpaces(col)
	}
	w.isAfterDash = false
}

func indentation(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

// indentOf returns the indentation of the line that contains an offset.
func (w *writer) indentOf(at int) string { return indentation(w.text[w.lines.lineAt(at).begin:at]) }

// shift changes the indentation of lines by a number of columns, which may be negative. Empty lines stay empty. first
// is set to shift the first line, too.
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

// keyText returns a key as written, or another key in the same quotes.
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

// writeScalar writes a scalar, or an empty collection. A string keeps its quotes.
func (w *writer) writeScalar(v *node, quote byte, isFlow bool) {
	switch text := v.text; {
	case v.kind != scalar:
		w.write(v.brackets())
	case !v.isText:
		w.write(text)
	case w.isJSON:
		w.write(string(objectjson.Quote(text)))
	case quote != '"' && quote != '\'' && yamldoc.QuoteOf(text) == 0 &&
		(!isFlow || !strings.ContainsAny(text, ",[]{}?:")):
		w.write(text)
	case quote != '"' && yamldoc.SuitsSingleQuotes(text) && (quote == '\'' || yamldoc.QuoteOf(text) != '"'):
		w.write("'", strings.ReplaceAll(text, "'", "''"), "'")
	default: // YAML has all escapes of Go, and shorter ones for some characters
		w.write(yamlEscapes.Replace(strconv.Quote(text)))
	}
}

var yamlEscapes = strings.NewReplacer(`\\`, `\\`, `\u0085`, `\N`, `\u2028`, `\L`, `\u2029`, `\P`)
