package terminal

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// hostile maps texts to how a terminal shows them.
var hostile = map[string]string{
	"# \x1b]0;title\a\x1b[31m\n":       `# \x1b]0;title\a\x1b[31m` + "\n",
	"a: \u009b31m\r\n":                 `a: \u009b31m` + "\r\n",
	"a:\t\u202egnp.\u2066\u2028\n":     "a:\t" + `\u202egnp.\u2066\u2028` + "\n",
	"hidden\rshown\n\rshown\r\r\n":     `hidden\rshown` + "\n" + `\rshown\r` + "\r\n",
	"\x9b31m\xff\n":                    `\x9b31m\xff` + "\n",
	"übergrößenträger: 日本語 \U0001F600": "übergrößenträger: 日本語 \U0001F600",
	"": "",
}

func TestCharactersThatATerminalInterpretsAreEscaped(t *testing.T) {
	for text, want := range hostile {
		if got := string(Escape([]byte(text))); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
}

func TestEscapingDoesNotDependOnTheSizeOfWrites(t *testing.T) {
	for text, want := range hostile {
		for size := 1; size <= 5; size++ {
			var screen bytes.Buffer
			w := &writer{terminal: &screen}
			for rest := text; rest != ""; {
				next := rest[:min(size, len(rest))]
				must.Get(io.WriteString(w, next))(t)
				rest = rest[len(next):]
			}
			if screen.String() != want {
				t.Errorf("%q in writes of %d bytes is shown as %q, want %q", text, size, screen.String(), want)
			}
		}
	}
}

func TestOnlyTerminalsAreEscaped(t *testing.T) {
	var file bytes.Buffer
	if w := Writer(&file); w != io.Writer(&file) || IsTerminal(w) || Unescaped(w) != w {
		t.Error("a buffer is taken for a terminal")
	}
	var screen strings.Builder
	escaping := &writer{terminal: &screen}
	must.Get(io.WriteString(Unescaped(escaping), "\x1b[m"))(t)
	if screen.String() != "\x1b[m" {
		t.Errorf("a control sequence of the program was written as %q", screen.String())
	}
}
