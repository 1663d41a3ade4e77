package terminal

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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

func TestSeveritiesAreColored(t *testing.T) {
	messages := "a.yaml: document 1 (line 2): ResourceClaim a: warning: b: warning: c\n" +
		"a.yaml: \x1b[2J: is not YAML\n" +
		"warning: objects need a label: 3 more\n" +
		"error: unknown flag: --warning: error: \n"
	for isColored, want := range map[bool]string{
		false: "a.yaml: document 1 (line 2): ResourceClaim a: warning: b: warning: c\n" +
			`a.yaml: \x1b[2J: is not YAML` + "\n" +
			"warning: objects need a label: 3 more\n" +
			"error: unknown flag: --warning: error: \n",
		true: "a.yaml: document 1 (line 2): ResourceClaim a: \x1b[33mwarning:\x1b[m b: warning: c\n" +
			`a.yaml: \x1b[2J: is not YAML` + "\n" +
			"\x1b[33mwarning:\x1b[m objects need a label: 3 more\n" +
			"\x1b[31merror:\x1b[m unknown flag: --warning: error: \n",
	} {
		var screen strings.Builder
		must.Get(io.WriteString(&writer{terminal: &screen, isColored: isColored}, messages))(t)
		if diff := cmp.Diff(want, screen.String()); diff != "" {
			t.Error(diff)
		}
	}
}

// TestOnlyATerminalWithoutNoColorIsColored uses a pseudo-terminal, if the system has one.
func TestOnlyATerminalWithoutNoColorIsColored(t *testing.T) {
	var file bytes.Buffer
	if w := MessageWriter(&file); w != io.Writer(&file) {
		t.Error("a buffer is taken for a terminal")
	}
	pseudoTerminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil || !IsTerminal(pseudoTerminal) {
		t.Skip("there is no pseudo-terminal")
	}
	t.Cleanup(func() { _ = pseudoTerminal.Close() })
	for noColor, want := range map[string]bool{"": true, "1": false} {
		t.Setenv("NO_COLOR", noColor)
		w, isWriter := MessageWriter(pseudoTerminal).(*writer)
		if !isWriter || w.isColored != want {
			t.Errorf("NO_COLOR=%s: colored is not %v", noColor, want)
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
