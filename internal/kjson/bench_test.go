package kjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// BenchmarkValid checks 500 claims as they are stored, by each of the ways there are.
func BenchmarkValid(b *testing.B) {
	claim, err := os.ReadFile("../../test/testdata/typical/v1alpha2.json")
	if err != nil {
		b.Fatal(err)
	}
	text := append(append([]byte("["), bytes.Repeat(append(claim, ','), 500)...), "null]"...)
	for name, check := range map[string]func([]byte) bool{
		"kjson":         valid,
		"encoding/json": json.Valid,
		"jsontext":      func(data []byte) bool { return jsontext.Value(data).IsValid() },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if !check(text) {
					b.Fatal("not JSON")
				}
			}
		})
	}
}

// BenchmarkQuoted writes 2,000 different objects as strings, as leftovers travel, and reads them back. Few texts would do
// for a processor to learn where their quotes are.
func BenchmarkQuoted(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	var plain []string
	var texts, quoted [][]byte
	size := 0
	for range 2000 {
		text := []byte("{}")
		for range 20 + random.IntN(10) {
			text = fmt.Appendf(text[:len(text)-1], ",%q:%q}", "deviceClassNames"[:2+random.IntN(14)], "gpu.resource.example.com/device"[:3+random.IntN(28)])
		}
		texts, plain = append(texts, text), append(plain, string(text))
		quoted = append(quoted, AppendQuoted(nil, string(text)))
		size += len(text)
	}
	for name, run := range map[string]func(out []byte, i int){
		"quote/kjson":      func(out []byte, i int) { AppendQuoted(out, plain[i]) },
		"quote/jsontext":   func(out []byte, i int) { _, _ = jsontext.AppendQuote(out, texts[i]) },
		"unquote/kjson":    func(out []byte, i int) { AppendUnquoted(out, quoted[i]) },
		"unquote/jsontext": func(out []byte, i int) { _, _ = jsontext.AppendUnquote(out, quoted[i]) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(size))
			out := make([]byte, 0, 1<<14)
			for b.Loop() {
				for i := range texts {
					run(out, i)
				}
			}
		})
	}
}
