package yamldoc

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

func FuzzJSONSurvivesYAML(f *testing.F) {
	for _, w := range words {
		object, _ := json.Marshal(map[string]any{w: w, "b": []string{w, ""}})
		f.Add(object)
	}
	f.Add([]byte(`{"a":{"b":[[],[[{}]],{}]},"s":"one\n two\n\nthree\n"}`))
	f.Fuzz(func(t *testing.T, object []byte) {
		var m map[string]any
		if json.Unmarshal(object, &m) != nil || m == nil {
			return
		}
		object, err := json.Marshal(m) // has no duplicate keys and lone surrogates, which JSON allows
		if err != nil {
			return
		}
		roundTrip(t, object)
	})
}

// FuzzRead searches for panics, endless loops, and documents that are read as invalid JSON.
func FuzzRead(f *testing.F) {
	f.Add([]byte("a: 1\n---\n{\"kind\": \"List\", \"items\": [{\"apiVersion\": \"v1\", \"kind\": \"X\"}]}\n{\n...\n- " +
		"x\n"))
	f.Add([]byte("a: &a {<<: *a}\n---\nb: [*b]\n"))
	f.Add([]byte("kind: XList\nitems: []\nitems: 1\n"))
	f.Add([]byte("{\"items\":[{}],\"kind\":\"XList\"}{\"a\":]}\n{\"b\":1}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		read := 0
		for d, err := range documents(NewReader(bytes.NewReader(text), "fuzz")) {
			if read++; read > len(text)+2 {
				t.Fatal("there is no end")
			}
			if err != nil {
				continue
			}
			if d.Text != nil && d.Node == nil {
				t.Errorf("%q counts as a document, but says nothing", d.Text)
			}
			if d.IsList() {
				list, err := d.List(false)
				if err != nil {
					continue
				}
				for item, err := list.Next(); err == nil; item, err = list.Next() {
					if !json.Valid(item.Object) {
						t.Errorf("item %q is not JSON", item.Object)
					}
				}
				continue
			}
			if object, err := d.Object(false); err == nil && !json.Valid(object) {
				t.Errorf("%q is not JSON", object)
			}
		}
	})
}

// FuzzYAMLIsReadAsKubectlReadsIt compares one document with the result of kubectl's parser, if both can read it.
func FuzzYAMLIsReadAsKubectlReadsIt(f *testing.F) {
	for _, w := range words {
		f.Add("a: " + w + "\nb: ['" + w + "']\n" + w + ": c\n")
	}
	f.Add("a: &x {k: v, l: 0x1F}\nb:\n  <<: *x\n  k: |-\n    text\n   # remark\n")
	f.Fuzz(func(t *testing.T, text string) {
		r := NewReader(strings.NewReader(text), "fuzz")
		d, err := r.Next()
		if err != nil || d.Text == nil || bytes.ContainsRune(d.Text, '!') {
			return // the parser ignores the tag "!", which makes a string of the value
		}
		ours, err := d.Object(true)
		if err != nil {
			return
		}
		theirs, err := yaml.YAMLToJSONStrict(d.Text)
		if err != nil {
			return
		}
		if diff := cmp.Diff(value(t, theirs), value(t, ours)); diff != "" {
			t.Fatalf("%q\nkubectl reads %s\nwe read      %s\n%s", d.Text, theirs, ours, diff)
		}
	})
}
