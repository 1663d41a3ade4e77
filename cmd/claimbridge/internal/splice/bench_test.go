package splice_test

import (
	"bytes"
	"testing"

	yamlv3 "go.yaml.in/yaml/v3"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/splice"
)

// BenchmarkEdit edits the manifests that people published, and has the library decode and encode them beside that.
func BenchmarkEdit(b *testing.B) {
	type file struct {
		d      *manifest.Document
		wanted []byte
	}
	var files []file
	size := 0
	for _, d := range corpus(b) {
		if wanted := converted(b, d.Text(), "v1"); wanted != nil {
			files = append(files, file{d, wanted})
			size += len(d.Text())
		}
	}
	for name, do := range map[string]func(file) error{
		"edit, from the text": func(f file) error {
			_, err := splice.Edit(f.d.Text(), f.wanted, nil)
			return err
		},
		"edit, parsed before": func(f file) error {
			_, err := splice.Document(f.d, f.wanted, nil)
			return err
		},
		"the library, decode and encode": func(f file) error {
			var node yamlv3.Node
			if err := yamlv3.Unmarshal(f.d.Text(), &node); err != nil {
				return err
			}
			var out bytes.Buffer
			enc := yamlv3.NewEncoder(&out)
			if err := enc.Encode(&node); err != nil {
				return err
			}
			return enc.Close()
		},
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for _, f := range files {
					if err := do(f); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
