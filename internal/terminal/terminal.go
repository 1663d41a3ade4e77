// Package terminal recognizes terminals, and escapes characters of files that a terminal would interpret.
package terminal

import (
	"bytes"
	"io"
	"os"
	"regexp"
	"slices"
	"unicode/utf8"

	"golang.org/x/term"
)

// IsTerminal reports whether a reader or a writer is a terminal, or a writer of this package for one.
func IsTerminal(stream any) bool {
	if w, isWriter := stream.(*writer); isWriter {
		return IsTerminal(w.terminal)
	}
	f, isFile := stream.(*os.File)
	return isFile && term.IsTerminal(int(f.Fd()))
}

// Writer returns a writer that escapes like [Escape] if w is a terminal, and w itself if it is not.
func Writer(w io.Writer) io.Writer {
	if !IsTerminal(w) {
		return w
	}
	return &writer{terminal: w}
}

// MessageWriter is [Writer] for messages, each written at once. It also colors the severity at the beginning of a
// message, unless NO_COLOR is set (https://no-color.org).
func MessageWriter(w io.Writer) io.Writer {
	if !IsTerminal(w) {
		return w
	}
	return &writer{terminal: w, isColored: os.Getenv("NO_COLOR") == ""}
}

// Patterns of the severity of a message. The position and the object precede the word in a warning.
var (
	errorPattern   = regexp.MustCompile(`(?m)^error:`)
	warningPattern = regexp.MustCompile(`(?m)^(|.*?: )(warning:) `)
)

// colorSeverity colors the severities of messages: errors red, and warnings yellow.
func colorSeverity(messages []byte) []byte {
	messages = errorPattern.ReplaceAll(messages, []byte("\x1b[31m$0\x1b[m"))
	return warningPattern.ReplaceAll(messages, []byte("$1\x1b[33m$2\x1b[m "))
}

// Unescaped returns the terminal behind a writer of this package, for control sequences of the program itself. It
// returns other writers unchanged.
func Unescaped(w io.Writer) io.Writer {
	if escaping, isWriter := w.(*writer); isWriter {
		return escaping.terminal
	}
	return w
}

// writer escapes what is written to a terminal. A character that is split between two writes is
// written with the second.
type writer struct {
	terminal  io.Writer
	isColored bool
	partial   []byte // the beginning of a character, or of a line end
}

// Write implements [io.Writer].
func (w *writer) Write(text []byte) (int, error) {
	pending := slices.Concat(w.partial, text)
	complete := len(pending) - incomplete(pending)
	escaped := Escape(pending[:complete])
	if w.isColored {
		escaped = colorSeverity(escaped)
	}
	if _, err := w.terminal.Write(escaped); err != nil {
		return 0, err
	}
	w.partial = bytes.Clone(pending[complete:])
	return len(text), nil
}

// incomplete returns the number of bytes at the end of a text whose meaning depends on the next byte.
func incomplete(text []byte) int {
	if bytes.HasSuffix(text, []byte{'\r'}) {
		return 1
	}
	for size := 1; size < utf8.UTFMax && size <= len(text); size++ {
		if last := text[len(text)-size:]; utf8.RuneStart(last[0]) {
			if utf8.FullRune(last) {
				return 0
			}
			return size
		}
	}
	return 0
}

// Escape returns a text with its control characters, format characters (such as those that change the direction of
// text), line and paragraph separators, and bytes that are not UTF-8 written as escape sequences of Go. Tabs and line
// ends stay.
func Escape(text []byte) []byte {
	escaped := make([]byte, 0, len(text))
	for line := range bytes.Lines(text) {
		content := bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		if len(content)+1 == len(line) && line[len(content)] == '\r' {
			content = line // a carriage return that does not end a line
		}
		for i, cell := range bytes.Split(content, []byte("\t")) {
			if i > 0 {
				escaped = append(escaped, '\t')
			}
			escaped = append(escaped, Printable(string(cell))...)
		}
		escaped = append(escaped, line[len(content):]...)
	}
	return escaped
}
