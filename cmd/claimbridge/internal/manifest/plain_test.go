package manifest

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

// parsed is the root of a text as the parser reads it, without comments.
func parsed(text []byte) *yaml.Node {
	var root yaml.Node
	if err := parse(text, &root); err != nil || len(root.Content) == 0 {
		return nil
	}
	var plainly func(*yaml.Node)
	plainly = func(n *yaml.Node) {
		n.HeadComment, n.LineComment, n.FootComment = "", "", ""
		for _, c := range n.Content {
			plainly(c)
		}
	}
	plainly(root.Content[0])
	return root.Content[0]
}

// plainTexts have one construct each.
var plainTexts = map[string]string{
	"values of all sorts":              "a: 1\nb: x y\nc: true\nd: 1.5\ne: 2001-01-01\nf: x~\n",
	"a value that is not there":        "a:\nb: # nothing\nc:   \n",
	"a mapping in a mapping":           "a:\n  b:\n      c: d\n  e: f\ng: h\n",
	"a sequence at the column":         "a:\n- b\n- c: d\n  e: f\ng: h\n",
	"a sequence that is indented":      "a:\n  - b: c\n    d:\n    - e\n  - f\n",
	"wide dashes":                      "a:\n-   b: c\n    d: e\n-  f\n",
	"quotes":                           "a: \"b # c\"   # d\ne: 'f: \"g'\nh: \"\"\n",
	"quotes over lines":                "a:\n- 'b \n    c'\n- \"d\n  e\n  # f\" # g\nh: i\n",
	"names of managed fields":          "f:a:\n  .: {}\n  k:{\"b\":\"c:d\"}: {}\n",
	"a literal block":                  "a: |\n  b\n\n    c # d\n\n# e\nf: g\n",
	"a literal block without its end":  "a:\n- |-\n  b: c\n\n- d\n",
	"a literal block of other letters": "a: |\n  \u00e9 \u4e16\n",
	"nothing in brackets":              "a: {}\nb: []\n",
	"comments":                         "# a\n---\n  # \u00a9 b\nc: d # e\n    # f\ng:\n  # h\n  i: j#k\n# l\n",
	"a colon in a value":               "a: http://b:80/c\nb: 10:20\n",
	"keys that are no texts":           "1: a\ntrue: b\n2001-01-01: c\n",
	"numbers of other sorts":           "a: 0x1f\nb: 1_000\nc: 1e3\nd: 0o7\ne: 010\n",
	"a key twice":                      "a: 1\na: 2\n",
	"words of YAML 1.1":                "y: yes\nno: off\n",
}

func TestPlainTextsAreReadAsTheParserReadsThem(t *testing.T) {
	for name, text := range plainTexts {
		t.Run(name, func(t *testing.T) {
			got, want := readPlain([]byte(text)), parsed([]byte(text))
			if got == nil {
				t.Fatal("it is not read")
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWhatIsNotPlainIsLeftToTheParser(t *testing.T) {
	for name, text := range map[string]string{
		"blocks in blocks in blocks":      deep(maxPlainDepth + 3),
		"no line end":                     "a: b",
		"a value of two lines":            "a: b\n  c\n",
		"a value of two lines in a list":  "a:\n- b\n  c\n",
		"a value below its key":           "a:\n  b\n",
		"an escape":                       "a: \"\\n\"\n",
		"a quote in quotes":               "a: 'b''c'\n",
		"text behind a quote":             "a: \"b\" c\n",
		"a comment that is none":          "a: \"b\"#c\n",
		"a tab":                           "a:\tb\n",
		"a tab in a comment":              "a: b #\tc\n",
		"line ends of Windows":            "a: b\r\nc: d\r\n",
		"an anchor":                       "a: &b c\n",
		"an alias":                        "a: *b\n",
		"a tag":                           "a: !!str 1\n",
		"a merge key":                     "<<: b\n",
		"flow style":                      "a: [b]\n",
		"a folded block":                  "a: >\n  b\n",
		"a literal block that keeps":      "a: |+\n  b\n\n",
		"a literal block with a number":   "a: |2\n    b\n",
		"a literal block that is blank":   "a: |\n\n  b\n",
		"a line of spaces in a block":     "a: |\n  b\n    \n  c\n",
		"a line of few spaces in a block": "a: |-\n  b\n \n    \n",
		"a block that goes back":          "a: |\n    b\n  c\n",
		"a mapping in a value":            "a: b: c\n",
		"a mapping with a deeper key":     "a: b\n  c: d\n",
		"a mapping with a key between":    "a:\n    b: c\n  d: e\n",
		"a sequence and a key":            "a:\n- b\n  c: d\n",
		"a sequence behind a value":       "a: b\n- c\n",
		"a sequence at the top":           "- a\n",
		"a sequence in a sequence":        "a:\n- - b\n",
		"an item that is not there":       "a:\n-\n- b\n",
		"a second document":               "a: b\n---\nc: d\n",
		"the end of a document":           "a: b\n...\n",
		"a directive":                     "%YAML 1.1\n---\na: b\n",
		"a key in quotes":                 "\"a\": b\n",
		"a key of two words":              "a b: c\n",
		"a key of an expression":          "? a\n: b\n",
		"a key without a space":           "a:b\n",
		"braces of a template":            "a: {{ b }}\n",
		"a line end that few know":        "a: b # \u0085c\n",
		"bytes that are no text":          "a: b # \xff\n",
		"an accent in a value":            "a: \u00e9\n",
		"an indented root":                "  a: b\n",
		"nothing":                         "# a\n",
		"a control character in a quote":  "a: \"\x01\"\n",
		"a control character in a value":  "a: b\x7f\n",
		"a byte order mark in a comment":  "a: b # \ufeff\n",
		"a comment that cuts a text":      "a: b\n# c\n  d\n",
	} {
		t.Run(name, func(t *testing.T) {
			if n := readPlain([]byte(text)); n != nil {
				t.Errorf("it is read as %v", n.Content)
			}
		})
	}
}

// deep mappings in mappings.
func deep(levels int) string {
	var b strings.Builder
	for i := range levels {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

// Most of what people published is plain: else it would not be worth its code.
func TestPublishedManifestsAreReadAsTheParserReadsThem(t *testing.T) {
	files, err := filepath.Glob("../../../../conversion/testdata/corpus/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	plain, all := 0, 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, document := range bytes.SplitAfter(text, []byte("\n---\n")) {
			document = bytes.TrimSuffix(document, []byte("---\n"))
			want := parsed(document)
			if want == nil {
				continue
			}
			all++
			if got := readPlain(document); got != nil {
				plain++
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s: %s", file, diff)
				}
			}
		}
	}
	if t.Logf("%d of %d documents are plain", plain, all); plain*10 < all*8 {
		t.Errorf("%d of %d documents are plain", plain, all)
	}
}

// FuzzPlain looks for texts that are read in another way than the parser reads them.
func FuzzPlain(f *testing.F) {
	for _, text := range plainTexts {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got := readPlain(text)
		if got == nil {
			return
		}
		want := parsed(text)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	})
}

// TestRandomTextsAreReadAsTheParserReadsThem puts texts together from what matters to readers of YAML, which a fuzzer that changes
// bytes hardly finds.
func TestRandomTextsAreReadAsTheParserReadsThem(t *testing.T) {
	parts := []string{
		"a: ", "b:", "c: d", "- ", "-", "- e", "- f: g", "\n", "\n", "\n", "\n  ", "\n  ", "\n    ", " ", "  ", "#", " # h", "|", "|-\n  i", ": |\n", "'", "\"", ":",
		"{}", "[]", "---", "...", "~", "1", "0x", ".", "/", ",", "\u00e9", "?", "<<", "&", "*", "!", "%", "@", "`", "\\", "=", "$", "(", "\t", "\r", ".: ", "k:{\"l\"}:", "'m\n   n'", "\"o", "\n   p\"",
	}
	const seed, texts = 14, 100_000
	random, plain := rand.New(rand.NewPCG(seed, seed)), 0
	for range texts {
		text := []byte("a:")
		for range random.IntN(12) {
			text = append(text, parts[random.IntN(len(parts))]...)
		}
		text = append(text, '\n')
		got := readPlain(text)
		if got == nil {
			continue
		}
		plain++
		if diff := cmp.Diff(parsed(text), got); diff != "" {
			t.Fatalf("%q: %s", text, diff)
		}
	}
	if t.Logf("%d of %d texts are plain", plain, texts); plain < texts/100 {
		t.Errorf("%d of %d texts are plain", plain, texts)
	}
}
