package objectjson

import (
	"strings"
	"testing"
)

// The error for invalid JSON has a readable path, at any depth and with names of any length.
func TestPlacesThatAreNotJSON(t *testing.T) {
	deep := strings.Repeat(`{"name":[`, 4000) + "?"
	long := `{"` + strings.Repeat("é", 400) + `":?}`
	for text, want := range map[string]string{
		`{"a":{"b":[1,{"c":nul}]}}`: "a.b[1].c: is not JSON at byte 18",

		deep: strings.Repeat("name[0].", 64)[:512] + "...: is not JSON at byte 36000",
		long: strings.Repeat("é", 256) + "...: is not JSON at byte 804",
	} {
		s := NewScanner([]byte(text))
		s.Skip()
		err := s.Err()
		if err == nil || err.Error() != want {
			t.Errorf("%.40s: %v, want %s", text, err, want)
		}
	}
	// The memory is proportional to the text, and not to the total length of its paths.
	if bytes := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s := NewScanner([]byte(deep))
			s.Skip()
			_ = s.Err()
		}
	}).AllocedBytesPerOp(); bytes > 1<<20 {
		t.Errorf("%d bytes are taken for a text of %d", bytes, len(deep))
	}
}
