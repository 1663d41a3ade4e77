package yamldoc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// documents returns the documents of a stream to its end, or to the error of the stream, which is last.
func documents(r *Reader) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		for {
			d, err := r.Next()
			_, bad := errors.AsType[*DocumentError](err)
			if errors.Is(err, io.EOF) || !yield(d, err) || err != nil && !bad {
				return
			}
		}
	}
}

// outline returns a line for each document, item or error of a stream.
func outline(t *testing.T, text string) (got []string) {
	t.Helper()
	for d, err := range documents(NewReader(strings.NewReader(text), "x")) {
		if err != nil {
			got = append(got, err.Error())
			continue
		}
		if !d.IsList() {
			got = append(got, fmt.Sprintf("%s %s %s", d.Position, d.APIVersion, d.Kind))
			continue
		}
		list, err := d.List(true)
		if err != nil {
			got = append(got, err.Error())
			continue
		}
		item, err := list.Next()
		for ; err == nil; item, err = list.Next() {
			_, kind := TypeOf(item.Object)
			got = append(got, fmt.Sprintf("%s %s", item.Position, kind))
		}
		if !errors.Is(err, io.EOF) {
			got = append(got, "list: "+err.Error())
		}
		got = append(got, fmt.Sprintf("%s %s %s", d.Position, list.APIVersion, list.Kind))
	}
	return got
}

func TestDocumentsAreFoundWithTheirLines(t *testing.T) {
	tests := map[string]struct {
		text string
		want []string
	}{
		"nothing":       {"", nil},
		"comments only": {"# a\n---\n\n# b\n---\n...\n", nil},
		"several documents of YAML": {
			"# head\nkind: A\n---\n\n# of b\nkind: B\n--- # note\nkind: C\n...\n---\nkind: D",
			[]string{
				"x: document 1 (line 2)  A", "x: document 2 (line 6)  B", "x: document 3 (line 8)  C",
				"x: document 4 (line 11)  D",
			},
		},
		"an indented separator in a text": {
			"kind: A\ntext: |\n  ---\n  kind: no\nmore: a---\n---\nkind: B\n",
			[]string{"x: document 1 (line 1)  A", "x: document 2 (line 7)  B"},
		},
		"concatenated JSON": {
			"{\"kind\": \"A\"}{\"kind\":\n\"B\"}\n\n  {\"kind\": \"C\"}",
			[]string{"x: document 1 (line 1)  A", "x: document 2 (line 1)  B", "x: document 3 (line 4)  C"},
		},
		"values on several lines": {
			"{\"kind\": \"List\", \"apiVersion\": \"v1\", \"items\": [{\n\"kind\": \"A\"},\n{\"kind\": " +
				"\"B\"}]}\n{\"kind\": \"C\"}",
			[]string{
				"x: document 1: items[0] (line 1) A", "x: document 1: items[1] (line 3) B",
				"x: document 1 (line 1) v1 List", "x: document 2 (line 4)  C",
			},
		},
		"a comma between documents": {
			"{\"kind\": \"A\"},\n{\"kind\": \"B\"}",
			[]string{
				"x: document 1 (line 1)  A",
				"x: document 2 (line 1): is not JSON: invalid character ',' at start of value",
				"x: document 3 (line 2)  B",
			},
		},
		"JSON among YAML": {
			"kind: A\n---\n{\"kind\": \"B\"}\n{\"kind\": \"C\"}\n---\nkind: D\n---\n{kind: E}\n",
			[]string{
				"x: document 1 (line 1)  A", "x: document 2 (line 3)  B", "x: document 3 (line 4)  C",
				"x: document 4 (line 6)  D", "x: document 5 (line 8)  E",
			},
		},
		"documents around invalid JSON": {
			"{\"kind\": \"A\"}\n{\"kind\": }\n{\"kind\": \"C\"}\n{\n  \"kind\": \"D\",\n}\n{\"kind\": \"E\"} " +
				"x\n{\"kind\": \"F\"}\n",
			[]string{
				"x: document 1 (line 1)  A",
				"x: document 2 (line 2): is not JSON, near field kind: invalid character '}' at start of value",
				"x: document 3 (line 3)  C",
				"x: document 4 (line 4): is not JSON: invalid character '}' at start of string (expecting '\"')",
				"x: document 5 (line 7)  E",
				"x: document 6 (line 7): is not JSON: invalid character 'x' at start of value",
				"x: document 7 (line 8)  F",
			},
		},
		"truncated JSON": {
			"{\"kind\": \"A\"}\n{\"kind\": \"B\", \"a\": [1,",
			[]string{"x: document 1 (line 1)  A", "x: document 2 (line 2): ends before the object does, near field a"},
		},
		"not UTF-8": {
			"{\"kind\": \"A\xff\"}\n{\"kind\": \"B\"}\n",
			[]string{
				"x: document 1 (line 1): is not JSON, near field kind: invalid UTF-8",
				"x: document 2 (line 2)  B",
			},
		},
		"a list with its kind after the items": {
			"{\"apiVersion\": \"v1\", \"items\": [\n{\"apiVersion\": \"v1\", \"kind\": \"A\"},\n{\"kind\": \"B\"}], " +
				"\"kind\": \"List\"}\n{\"kind\": \"C\"}",
			[]string{
				"x: document 1: items[0] (line 2) A", "x: document 1: items[1] (line 3) B",
				"x: document 1 (line 1) v1 List", "x: document 2 (line 4)  C",
			},
		},
		"a list with its kind before the items": {
			"{\"kind\": \"AList\", \"apiVersion\": \"a/v1\", \"items\": [{},\n{}], \"metadata\": {}}",
			[]string{
				"x: document 1: items[0] (line 1) ", "x: document 1: items[1] (line 2) ",
				"x: document 1 (line 1) a/v1 AList",
			},
		},
		"a list of untyped items with its kind after them": {
			"{\"apiVersion\": \"a/v1\", \"items\": [{},\n{}], \"kind\": \"AList\"}",
			[]string{
				"x: document 1: items[0] (line 1) ", "x: document 1: items[1] (line 2) ",
				"x: document 1 (line 1) a/v1 AList",
			},
		},
		"items of an object that is no list": {
			"{\"kind\": \"A\", \"items\": [{\"kind\": \"B\", \"apiVersion\": \"v1\"}]}\n{\"items\": 5, \"kind\": " +
				"\"AList\"}",
			[]string{"x: document 1 (line 1)  A", "x: document 2 (line 2)  AList"},
		},
		"an incomplete list": {
			"{\"kind\": \"List\", \"apiVersion\": \"v1\", \"items\": [{\"kind\": \"A\"}, oops]}\n{\"kind\": \"B\"}\n",
			[]string{
				"x: document 1 (line 1): is not JSON, near field items.1: invalid character 'o' at start of value",
				"x: document 2 (line 2)  B",
			},
		},
		"a list of YAML": {
			"# head\nkind: List\napiVersion: v1\nitems:\n- kind: A\n\n- kind: B\n",
			[]string{
				"x: document 1: items[0] (line 5) A", "x: document 1: items[1] (line 7) B",
				"x: document 1 (line 2) v1 List",
			},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, outline(t, test.text)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A list that is not read to its end must not affect the documents after it.
func TestDocumentsAfterAnUnreadListAreRead(t *testing.T) {
	kinds := ""
	for d, err := range documents(NewReader(strings.NewReader(`{"kind":"List","items":[{"a":1},{"a":2}]}{"kind":"B"}`),
		"x")) {
		must.Do(t, err)
		kinds += d.Kind + " "
	}
	if kinds != "List B " {
		t.Error(kinds)
	}
}

// repeated returns a stream of a beginning, a part that is repeated up to a size, and an end.
func repeated(begin, part, end string, size int) io.Reader {
	return strings.NewReader(begin + strings.Repeat(part, size/len(part)) + end)
}

// heap returns the size of the heap in use after garbage collection.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// The memory for many documents does not grow with their number.
func TestMemoryStaysFlat(t *testing.T) {
	const size = 2 * MaxDocument
	claim := `{"apiVersion": "resource.k8s.io/v1alpha2", "kind": "ResourceClaim", "metadata": {"name": "a"}, "x": "` +
		strings.Repeat("x", 3000) + "\"}"
	for name, stream := range map[string]io.Reader{
		"concatenated JSON": repeated("", claim+"\n", "", size),
		"documents of YAML": repeated("", "---\napiVersion: v1\nkind: A\nx: "+strings.Repeat("x", 3000)+"\n", "",
			size/4),
	} {
		t.Run(name, func(t *testing.T) {
			before, most, read := heap(), uint64(0), 0
			count := func() {
				if read++; read%1000 == 0 {
					most = max(most, heap())
				}
			}
			for d, err := range documents(NewReader(stream, "x")) {
				must.Do(t, err)
				_ = d
				count()
			}
			if read < 2000 {
				t.Errorf("only %d documents", read)
			}
			if most > before+4<<20 {
				t.Errorf("%d bytes in use, %d before", most, before)
			}
		})
	}
}

// The rest of an input that is too large is not read, whatever is in it.
func TestATooLargeInputIsAnError(t *testing.T) {
	for name, text := range map[string]string{
		"a JSON list":       `{"apiVersion":"v1","kind":"List","items":[` + strings.Repeat("{},\n", 1000) + `{}]}`,
		"concatenated JSON": strings.Repeat("{\"kind\":\"A\"}\n", 1000),
		"YAML":              "a:\n" + strings.Repeat("- b\n", 1000),
		"documents of YAML": strings.Repeat("---\na: b\n", 1000),
		"comments":          strings.Repeat("# a\n", 1000),
	} {
		t.Run(name, func(t *testing.T) {
			r := NewReader(strings.NewReader(text), "x")
			r.chunks.limit = 2000
			var last error
			for _, last = range documents(r) {
			}
			if !errors.Is(last, errInputTooLarge) {
				t.Errorf("%v", last)
			}
		})
	}
}

func TestATooLargeDocumentIsSkipped(t *testing.T) {
	for name, test := range map[string]struct{ begin, part, end string }{
		"JSON":           {"{\"kind\": \"A\", \"x\": [\n", "1234567,\n", "1]}\n{\"kind\": \"B\"}\n"},
		"JSON in a line": {"{\"kind\": \"A\", \"x\": [", "1234567,", "1]}\n{\"kind\": \"B\"}\n"},
		"an item":        {"{\"kind\": \"List\", \"items\": [{\"x\": \"", "x", "\"}]}\n{\"kind\": \"B\"}\n"},
		"YAML":           {"kind: A\nx:\n", "- 12345\n", "---\nkind: B\n"},
		"YAML in a line": {"kind: A\nx: ", "x", "\n---\nkind: B\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var isTooLarge, hasSecond bool
			for d, err := range documents(NewReader(repeated(test.begin, test.part, test.end, MaxDocument+1<<20),
				"x")) {
				if err == nil && d.IsList() {
					_, err = must.Get(d.List(true))(t).Next()
				}
				isTooLarge = isTooLarge || err != nil && strings.Contains(err.Error(), errDocumentTooLarge.Error())
				hasSecond = hasSecond || err == nil && d.Kind == "B"
			}
			if !isTooLarge || !hasSecond {
				t.Errorf("the size is an error: %v, the next document is read: %v", isTooLarge, hasSecond)
			}
		})
	}
}

// Invalid JSON is reported document by document, but braces alone are not read as often as there are lines.
func TestRereadingOfInvalidJSONIsLimited(t *testing.T) {
	for begin, want := range map[string]int{"{\"a\":}\n": 20_000, "{\"a\":\n": 300} {
		failed, last := 0, error(nil)
		for _, last = range documents(NewReader(strings.NewReader(strings.Repeat(begin, 20_000)), "f")) {
			failed++
		}
		if failed > want || want == 20_000 && failed < want || (want < 20_000) != errors.Is(last, errTooMuchInvalidJSON) {
			t.Errorf("%q: %d documents, and at last %v", begin, failed, last)
		}
	}
}

func TestALongCommentIsNoPartOfADocument(t *testing.T) {
	r := NewReader(repeated("# a\n", "# remark\n", "kind: A\n---\nkind: B\n", MaxDocument+1<<20), "x")
	for _, want := range []string{"A", "B"} {
		if d, err := r.Next(); err != nil || d.Kind != want || len(d.Text) > 2*maxHead {
			t.Errorf("%+v, %v, want kind %s", d, err, want)
		}
	}
}

func TestAnErrorOfTheStreamIsReturned(t *testing.T) {
	errDisk := errors.New("disk on fire")
	for _, text := range []string{
		"", "kind: A\n", "kind: A\n---\n", `{"kind":"A"}`, `{"kind":"A"`, `{"kind":"List","items":[{}`,
	} {
		var last error
		for _, last = range documents(NewReader(io.MultiReader(strings.NewReader(text), iotest.ErrReader(errDisk)),
			"x")) {
			if errors.Is(last, errDisk) {
				break
			}
		}
		if !errors.Is(last, errDisk) {
			t.Errorf("%q: the error is not returned, but %v", text, last)
		}
	}
}

func TestWriterSeparatesObjects(t *testing.T) {
	for format, want := range map[string]string{
		"json": "{\"z\":1,\"a\":[{}]}\n{\"items\":[]}\n",
		"yaml": "z: 1\na:\n- {}\n---\nitems: []\n",
	} {
		var b bytes.Buffer
		w := NewWriter(&b, format)
		err := errors.Join(
			w.WriteObject([]byte("{\n \"z\": 1, \"a\": [ {} ]}")),
			w.WriteObject([]byte(`{"items": []}`)), w.Flush())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, b.String()); diff != "" {
			t.Errorf("%s: %s", format, diff)
		}
	}
}

// An object of another kind is no list, even if it has items: they belong to the object.
func TestAListHasTheKindOfAList(t *testing.T) {
	for kind, want := range map[string]bool{
		"List": true, "ResourceClaimList": true, "Listing": false, "ConfigMap": false, "": false,
	} {
		object := `{"apiVersion":"v1","kind":"` + kind + `","items":[{"kind":"ResourceClaim"}]}`
		if list, err := ListOf([]byte(object), Position{}); err != nil || (list != nil) != want {
			t.Errorf("%s: a list: %v, %v", object, list != nil, err)
		}
	}
}
