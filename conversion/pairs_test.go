package conversion

import (
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/test/objects"
)

// BenchmarkPair converts random claims that are stored in v1 to a version, and what that shows back.
func BenchmarkPair(b *testing.B) {
	for _, version := range Versions()[:5] {
		source := objects.New(7)
		var stored, shown [][]byte
		for range 200 {
			object := encode(normal(source.Object(Stored(), api.KindClaim)))
			copied, _, err := JSON(object, version, Options{})
			if err != nil {
				b.Fatal(err)
			}
			stored, shown = append(stored, object), append(shown, copied)
		}
		for name, from := range map[string][][]byte{"down to " + version: stored, "home from " + version: shown} {
			to := version
			if name[0] == 'h' {
				to = Stored()
			}
			b.Run(name, func(b *testing.B) {
				b.ReportAllocs()
				var out []byte
				for i := 0; b.Loop(); i++ {
					var err error
					if out, _, err = Append(out[:0], from[i%len(from)], to, Options{TrimMetadata: true}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
