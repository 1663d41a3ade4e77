package terminal

import "testing"

func TestPrintableEscapesControlCharacters(t *testing.T) {
	for text, want := range map[string]string{
		"gpu-ü.yaml":     "gpu-ü.yaml",
		"\x1b[2J\a":      `\x1b[2J\a`,
		"a\nb":           `a\nb`,
		"\u202egnp.lmay": `\u202egnp.lmay`,
		"\u2066a\u2028b": `\u2066a\u2028b`,
		"\x9b31m\xff":    `\x9b31m\xff`,
		"\ufffd":         "\ufffd",
	} {
		if got := Printable(text); got != want {
			t.Errorf("%q is printed as %q, want %q", text, got, want)
		}
	}
}
