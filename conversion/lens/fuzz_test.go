package lens

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/test/objects"
)

// FuzzLens sends anything up and down: it never panics, the answer is JSON, and what is shown comes
// up as one and the same object, however often.
func FuzzLens(f *testing.F) {
	s := objects.New(1)
	for at, version := range shownVersions {
		for of, kind := range Kinds(version) {
			f.Add(salted(f, s, stored(f, s, kind)), uint8(at), uint8(of))
		}
	}
	for _, object := range []string{
		``,
		`null`,
		`{}`,
		`{"spec":null,"status":[]}`,
		`{"metadata":{"labels":{"a":null,"a":"b"}},"spec":{"devices":{"requests":[null,{"name":"r","exactly":{},` +
			`"exactly":null}]}}}`,
	} {
		f.Add([]byte(object), uint8(3), uint8(1))
	}
	f.Fuzz(func(t *testing.T, object []byte, at, of uint8) {
		version := shownVersions[int(at)%len(shownVersions)]
		l := newLens(t, version, Kinds(version)[int(of)%len(Kinds(version))])
		shown, err := l.Down(nil, object)
		if err != nil {
			return
		}
		if !json.Valid(shown) {
			t.Fatalf("no JSON: %s", shown)
		}
		if l.view != "" {
			return
		}
		up, err := l.Up(nil, shown)
		if err != nil {
			t.Fatalf("%v: what is shown does not come up: %s", err, shown)
		}
		again, err := l.Down(nil, up)
		if err == nil {
			again, err = l.Up(nil, again)
		}
		if err != nil || !bytes.Equal(kjson.CanonicalForm(again), kjson.CanonicalForm(up)) {
			t.Fatalf("%v: it comes up as another one the second time:\n%s\n%s\n%s", err, shown, up, again)
		}
	})
}
