package batch

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/internal/migrate"
	"github.com/claimbridge/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// BenchmarkDirectory checks 1,000 published files, all of which would change. It is for profiles; `make bench`
// measures the program.
func BenchmarkDirectory(b *testing.B) {
	published, err := filepath.Glob("../../internal/conversion/testdata/corpus/*-v1beta1.yaml")
	if err != nil || len(published) == 0 {
		b.Fatalf("no corpus: %v", err)
	}
	var documents [][]byte
	for _, file := range published {
		text := must.Get(os.ReadFile(file))(b)
		for _, d := range bytes.Split(text, []byte("---\n")) {
			if bytes.Contains(d, []byte("\nkind: ")) {
				documents = append(documents, d)
			}
		}
	}
	dir := b.TempDir()
	for i := range 1000 {
		must.Do(b, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%04d.yaml", i)), documents[i%len(documents)], 0o600))
	}
	o := Options{Options: migrate.Options{
		To: release.Target{Version: "v1"}, Groups: claims.Groups{api.Group}, Validate: true,
	}}
	for b.Loop() {
		in := input.Input{Files: []string{dir}, Recursive: true, SearchWords: []string{api.Group, "resourceClaims"}}
		failed, changed, err := Files(b.Context(), in, o, FileOptions{}, bytes.NewReader(nil), io.Discard, io.Discard)
		if err != nil || !changed || failed {
			b.Fatalf("%v, %v, %v", changed, failed, err)
		}
	}
}
