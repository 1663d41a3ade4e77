package kjson

import (
	"bytes"
	"encoding/json"
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
