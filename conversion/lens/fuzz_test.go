package lens

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/claimbridge/claimbridge/conversion/internal/merge"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/test/objects"
)

// FuzzPut puts anything into anything: it never panics, the answer is JSON, what is shown of an object changes nothing in it, and a
// write that was made changes nothing when it is made again. What a write does not reach, and what nobody knows, stays to the byte.
func FuzzPut(f *testing.F) {
	s := objects.New(1)
	for at, version := range Versions() {
		for of, kind := range Kinds(version) {
			live := salted(f, s, stored(f, s, kind))
			shown, err := newLens(f, version, kind).Down(nil, stored(f, s, kind))
			if err != nil {
				f.Fatal(err)
			}
			f.Add(live, shown, uint8(at), uint8(of), at%2 == 0)
		}
	}
	for _, object := range []string{``, `null`, `{}`, `{"spec":null,"status":[]}`, `{"metadata":{"labels":{"a":null,"a":"b"}},"spec":{"devices":{"requests":[null,{"name":"r","exactly":{},"exactly":null}]}}}`} {
		f.Add([]byte(claim), []byte(object), uint8(3), uint8(1), true)
		f.Add([]byte(object), []byte(claim), uint8(3), uint8(1), false)
	}
	f.Fuzz(func(t *testing.T, live, object []byte, at, of uint8, status bool) {
		version := Versions()[int(at)%len(Versions())]
		l := newLens(t, version, Kinds(version)[int(of)%len(Kinds(version))])
		put, closed := l.Put, "status"
		if status && l.status != nil {
			put, closed = l.PutStatus, "spec"
		}
		shown, err := l.Down(nil, live)
		if err != nil {
			return
		}
		if got, err := put(nil, live, shown); err == nil && !bytes.Equal(got, live) {
			t.Fatalf("what is shown changes it:\n%s\n%s", live, got)
		}
		got, err := put(nil, live, object)
		if err != nil {
			return
		}
		if !json.Valid(got) {
			t.Fatalf("no JSON: %s", got)
		}
		was, is := merge.PartsOf(bytes.TrimSpace(live)), merge.PartsOf(bytes.TrimSpace(got))
		if !bytes.Equal(was.Get(closed), is.Get(closed)) {
			t.Fatalf("%s is not reached, and changed:\n%s\n%s", closed, live, got)
		}
		wrote := merge.PartsOf(bytes.TrimSpace(object))
		for _, m := range was.List {
			if !l.main.Knows(m.Name) && wrote.Get(m.Name) == nil && !bytes.Equal(is.Get(m.Name), m.Value) {
				t.Fatalf("%q is lost:\n%s\n%s", m.Name, live, got)
			}
		}
		again, err := put(nil, got, object)
		if err != nil {
			t.Fatalf("the same write is refused the second time: %v\n%s", err, got)
		}
		if !bytes.Equal(kjson.CanonicalForm(again), kjson.CanonicalForm(got)) {
			t.Fatalf("the same write changes it again:\n%s\n%s\n%s", object, got, again)
		}
	})
}
