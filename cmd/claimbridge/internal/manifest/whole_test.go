package manifest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// contents are what a reader gives: objects with their places, and errors.
func contents(t *testing.T, r *Reader) (all []string) {
	t.Helper()
	for range 10_000 {
		d, err := r.Next()
		var bad *DocumentError
		switch {
		case errors.Is(err, io.EOF):
			return all
		case errors.As(err, &bad):
			told, _, _ := strings.Cut(err.Error(), " surrogate pair") // how much the decoder quotes of it depends on its buffer
			all = append(all, told)
			continue
		case err != nil:
			t.Fatal(err)
		}
		all = append(all, fmt.Sprintf("%s %s %s", d.Position, d.APIVersion, d.Kind))
		if d.IsOpen() {
			continue // the next call drains it
		}
		object, err := d.Object(true)
		if err != nil {
			all = append(all, err.Error())
			continue
		}
		compact := jsontext.Value(object)
		if err := compact.Compact(); err != nil {
			t.Fatal(err)
		}
		all = append(all, string(compact))
	}
	t.Fatal("there is no end")
	return nil
}

// A reader whose buffer holds no whole object leaves all to the decoder. Both must say the same of whatever comes.
func TestWholeObjectsAreWhatTheDecoderSays(t *testing.T) {
	pieces := []string{
		`{"kind":"A","apiVersion":"v1","a":[1,{"b":" }"}]}`, "{\n \"kind\" : \"B\" ,\n \"a\" : null\n}", `{"kind":"A","kind":"B","apiVersion":"v1","kind":"C"}`,
		`{"kind":5,"apiVersion":"a/v1"}`, `{"k\u0069nd":"E"}`, `{"kind":"\ud83d\ude00"}`, `{"kind":"\ud83d"}`, "{\"kind\":\"\xff\"}", `{"kind":"é"}`,
		`{"kind":"A","items":[1]}`, `{"kind":"AList","items":[{"kind":"B"}]}`, `{"kind":"AList"}`, `{"kind":"A"`, `{"kind":}`, `{"kind":"A"}}`,
		`[1]`, `x`, `{"kind":"A","x":"` + strings.Repeat("x", 70<<10) + `"}`, `{"kind":"A","x":` + strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001) + `}`,
		"---\n", "\n---\n", "\n...\n", " --- ", "\n", "\n\n", " ", "\r\n", "\t", "kind: A\n", "{a: b}\n", "\n", "\n",
	}
	for seed := range uint64(2000) {
		random := rand.New(rand.NewPCG(seed, 2))
		var text strings.Builder
		for range random.IntN(12) {
			text.WriteString(pieces[random.IntN(len(pieces))])
			text.WriteString([]string{"\n", "", " "}[random.IntN(3)])
		}
		careful := NewReader(strings.NewReader(text.String()), "x")
		careful.chunks.r = bufio.NewReaderSize(strings.NewReader(text.String()), 16)
		want := contents(t, careful)
		if diff := cmp.Diff(want, contents(t, NewReader(strings.NewReader(text.String()), "x"))); diff != "" {
			t.Fatalf("seed %d: %.2000q\n(-decoder +whole)\n%.4000s", seed, text.String(), diff)
		}
	}
}
