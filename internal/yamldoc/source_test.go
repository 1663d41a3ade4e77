package yamldoc

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestSourceOfADocument(t *testing.T) {
	list := `{"kind":"List", "apiVersion": "v1","items":[` + "\n" + `{"apiVersion":"v1","kind":"A"},` + "\n" +
		`{"apiVersion":"v1","kind":"B"}]}`
	tests := map[string]struct {
		text string
		want []string
	}{
		"comments above a document, without separators": {
			"# head\n---\n# a\na: 1\n---\nb: 2\n...\n",
			[]string{"# a\na: 1\n", "b: 2\n"},
		},
		"a byte order mark and CRLF": {
			"\xef\xbb\xbfa: 1\r\n---\r\nb: 2\r\n", []string{"a: 1\r\n", "b: 2\r\n"},
		},
		"no line end at the end": {
			"a: 1\n--- # x\nb: 2", []string{"a: 1\n", "b: 2"},
		},
		"a separator with content on its line": {
			"a: 1\n--- {b: 2} # x\n---\nc: 3\n",
			[]string{"a: 1\n", "--- {b: 2} # x\n", "c: 3\n"},
		},
		"concatenated objects": {
			" {\"a\": 1}{\"b\":2}\n \n{\n\"c\":3}  \n---\n{\"d\":4}",
			[]string{`{"a": 1}`, `{"b":2}`, "{\n\"c\":3}", `{"d":4}`},
		},
		"JSON after YAML": {
			"a: 1\n---\n{\"b\":2}\n---\nc: 3\n", []string{"a: 1\n", `{"b":2}`, "c: 3\n"},
		},
		"a list is read to its end": {
			list + "\n{\"a\":1}\n", []string{list, `{"a":1}`},
		},
		"empty documents": {
			"---\n# x\n---\nnull\n---\na: 1\n---\n", []string{"a: 1\n"},
		},
		"after JSON that cannot be read": {
			"{\"a\":]}\n{\"b\":2}\n---\nc: 3\n", []string{`{"b":2}`, "c: 3\n"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, d := range within(t, []byte(test.text)) {
				text, _, _ := d.Source()
				got = append(got, string(text))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// within returns all documents of a file that can be read, attached to it.
func within(t *testing.T, file []byte) (all []*Document) {
	t.Helper()
	for d, err := range documents(NewReader(bytes.NewReader(file), "file")) {
		if err == nil && d.AttachFile(file) == nil {
			all = append(all, d)
		}
	}
	return all
}

func TestItemsOfAListInItsFileHaveTheirLines(t *testing.T) {
	file := []byte("{\"x\":1}\n" + `{"apiVersion":"v1","kind":"List","items":[` + "\n" + `{"a":1},` + "\n\n" +
		`{"b":2}]}`)
	d := within(t, file)[1]
	if !d.IsList() {
		t.Fatal("it is no list in memory")
	}
	list := must.Get(d.List(true))(t)
	var lines []int
	for item, err := list.Next(); err == nil; item, err = list.Next() {
		lines = append(lines, item.Line)
	}
	if diff := cmp.Diff([]int{3, 5}, lines); diff != "" {
		t.Error(diff)
	}
}

func TestAnIncompleteOrTooLargeListIsNotEdited(t *testing.T) {
	item := `{"apiVersion":"v1","kind":"A"},`
	for name, text := range map[string]string{
		"breaks off": `{"kind":"List","apiVersion":"v1","items":[` + item,
		"too big": `{"kind":"List","apiVersion":"v1","items":[` + strings.Repeat(item,
			MaxDocument/len(item)) + `{}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			d, err := NewReader(strings.NewReader(text), "file").Next()
			if err == nil {
				err = d.AttachFile([]byte(text))
			}
			if _, ok := errors.AsType[*DocumentError](err); !ok {
				t.Error("no error")
			}
		})
	}
}

// FuzzSource compares the sources of documents with the file: they follow each other, and each parses to the same
// document when it is alone.
func FuzzSource(f *testing.F) {
	f.Add([]byte("# x\n---\na: 1\n---\n{\"b\":2}{\"c\":[]} \n... \n\xef\xbb\xbfd: 4"))
	f.Add([]byte("\xef\xbb\xbf{\"kind\":\"List\",\"items\":[{\"a\":1},\n{\"b\":2}]}\n{\"a\":]}\n{\"b\":1}"))
	f.Add([]byte("--- a: 1\r\n---\r\n# c\r\n\r\nb: |\r\n  x\r\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		last := 0
		for _, d := range within(t, file) {
			text, begin, end := d.Source()
			if begin < last || end < begin || !bytes.Equal(text, file[begin:end]) {
				t.Fatalf("%q from %d to %d of %q, after %d", text, begin, end, file, last)
			}
			last = end
			want, err := d.Object(false)
			if err != nil {
				continue
			}
			again := within(t, text)
			if len(again) != 1 {
				t.Fatalf("%q is %d documents", text, len(again))
			}
			if got, err := again[0].Object(false); err != nil || compact(got) != compact(want) {
				t.Fatalf("%q reads as %s, %v, and in its file as %s", text, got, err, want)
			}
		}
	})
}

func compact(object []byte) string { return string(objectjson.AppendCompact(nil, object)) }
