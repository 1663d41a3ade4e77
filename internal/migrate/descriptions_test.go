package migrate

import (
	"strings"
	"testing"
)

func TestDescriptionsAreBlankedInTheirPlaces(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"on the line": {"a:\n  description: of v1\n  b: v1\n", "a:\n  description: .....\n  b: v1\n"},
		"a block": {
			"description: |-\n  of v1\n\n    v2\nb: v1\n",
			"description: ..\n.......\n\n......\nb: v1\n",
		},
		"in an item": {"- description: >\n    v1\n  b: v1\n", "- description: .\n......\n  b: v1\n"},
		"in quotes": {
			"\"description\": \"of\n  v1\"\r\nb: v1\r\n",
			"\"description\": ...\n.....\r\nb: v1\r\n",
		},
		"to the end":         {"description: |\n  v1", "description: .\n...."},
		"no text":            {"description:\n  type: v1\n", "description:\n  type: v1\n"},
		"no text: comment":   {"description: # a\n  type: v1\n", "description: # a\n  type: v1\n"},
		"of another name":    {"descriptions: v1\n", "descriptions: v1\n"},
		"ends at a template": {"description: |\n  v1\n{{ if v1 }}\n", "description: .\n....\n{{ if v1 }}\n"},
	}
	for name, test := range tests {
		got := string(withoutProse([]byte(test.text)))
		want := strings.ReplaceAll(test.want, ".", " ")
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestElisionsInPages(t *testing.T) {
	for text, want := range map[string]bool{
		"spec:\n  ...\n":               true,
		"spec:\n- ...\n":               true,
		"...\n":                        true,
		"spec: ...\n":                  true,
		"spec: \"...\"\r\n":            true,
		"spec: {...}\n":                true,
		"a: [b, ...] # more\n":         true,
		"spec:\n  … # more\n":          true,
		"# ...\n":                      false,
		"a: b # ...\n":                 false,
		"a: and so on ...\n":           false,
		"a: |\n  text, and so on...\n": false,
		"a: ../b\n":                    false,
	} {
		if got := isElidedPage("page.md", []byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
		if isElidedPage("file.yaml", []byte(text)) {
			t.Errorf("%q is taken for a page", text)
		}
	}
}
