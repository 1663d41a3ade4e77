package yamldoc

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// kindsForKubectl returns the kinds that kubectl's decoder reads from a stream, up to the first error.
func kindsForKubectl(text string) (kinds []string) {
	decoder := yaml.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096)
	for {
		var object struct{ Kind string }
		if err := decoder.Decode(&object); err != nil {
			return kinds
		}
		if object.Kind != "" {
			kinds = append(kinds, object.Kind)
		}
	}
}

// kindsRead returns the kinds that a Reader reads, and the last error other than io.EOF.
func kindsRead(text io.Reader) (kinds []string, last error) {
	for reader := NewReader(text, "x"); ; {
		d, err := reader.Next()
		switch {
		case errors.Is(err, io.EOF):
			return kinds, last
		case err != nil:
			last = err
		default:
			kinds = append(kinds, d.Kind)
		}
	}
}

func TestContentAfterTheEndOfADocumentIsAnError(t *testing.T) {
	comments := strings.Repeat("# a comment that fills the buffer of the reader\n", 2*bufferSize/48)
	tests := map[string]struct {
		text string
		line string // of the error, if there is one
	}{
		"a mapping":                   {"kind: A\n...\nspec: {}\n", "line 2: "},
		"a mapping of the same key":   {"kind: A\n...\nkind: B\n---\nkind: C\n", "line 2: "},
		"JSON":                        {"kind: A\n...\n{\"kind\": \"B\"}\n", "line 2: "},
		"an item":                     {"a: 1\nkind: A\n...\n- b\n", "line 3: "},
		"not YAML":                    {"kind: A\n...\nspec:\n - a\n  b:\n", "line 2: "},
		"text on the line":            {"kind: A\n... and more\n---\nkind: C\n", "line 2: "},
		"after comments":              {"kind: A\n... # more\n\n# b\n%YAML 1.2\n...\n  spec: {}\n", "line 2: "},
		"after many comments":         {"kind: A\n...\n" + comments + "spec: {}\n---\nkind: C\n", "line 2: "},
		"after CRLF":                  {"kind: A\r\n...\r\nspec: {}\r\n", "line 2: "},
		"before any document":         {"...\nkind: A\n", "line 1: "},
		"after JSON":                  {"{\"kind\": \"C\"}\n...\nkind: A\n", "line 2: "},
		"JSON after JSON":             {"{\"kind\": \"C\"}\n...\n{\"kind\": \"A\"}\n", "line 2: "},
		"none at the end":             {"kind: A\n...\n", ""},
		"none without a line end":     {"kind: A\n...", ""},
		"none but comments":           {"kind: A\n... # c\n\n# b\n...\n", ""},
		"none but many comments":      {"kind: A\n...\n" + comments, ""},
		"none before a document":      {"kind: A\n...\n---\nkind: B\n...\n%YAML 1.2\n---\nkind: C\n", ""},
		"none after many comments":    {"kind: A\n...\n" + comments + "---\nkind: B\n", ""},
		"dots in a text are no end":   {"kind: A\nb: |\n  ...\n  c\n....: 1\n", ""},
		"dots with indentation: text": {"kind: A\nb:\n  ...\n", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(test.text), io.MultiReader(strings.NewReader(test.text))} {
				kinds, err := kindsRead(r)
				if test.line == "" {
					if diff := cmp.Diff(kindsForKubectl(test.text), kinds); diff != "" || err != nil {
						t.Errorf("%v; (-kubectl +got):\n%s", err, diff)
					}
					continue
				}
				if err == nil || !strings.Contains(err.Error(), test.line+"`...` ends the document") {
					t.Errorf("the error is %v", err)
				}
				for _, kind := range kinds {
					if kind != "C" {
						t.Errorf("read a document of kind %s", kind)
					}
				}
			}
		})
	}
}

// kubectl's decoder ignores the content, which is why it is an error here.
func TestKubectlIgnoresContentAfterTheEndOfADocument(t *testing.T) {
	got := kindsForKubectl("kind: A\n...\nkind: B\n---\nkind: C\n")
	if diff := cmp.Diff([]string{"A", "C"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
