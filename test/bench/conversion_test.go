//go:build linux

package bench

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// BenchmarkPair converts a claim of 2 KiB from each version to each other one, with data that the target version can't
// represent.
func BenchmarkPair(b *testing.B) {
	for _, from := range conversion.Versions() {
		claim := generateClaims(b, from, 1, 2<<10)[0]
		for _, to := range conversion.Versions() {
			if from == to {
				continue
			}
			b.Run(fmt.Sprintf("from=%s/to=%s/by=claimbridge", from, to), func(b *testing.B) {
				before := processorTime(b, self)
				for range b.N {
					must.Get2(conversion.ConvertJSON(claim, to, conversion.Options{}))(b)
				}
				reportProcessorTime(b, processorTime(b, self)-before)
			})
			b.Run(fmt.Sprintf("from=%s/to=%s/by=json.Valid", from, to), func(b *testing.B) {
				before := processorTime(b, self)
				for range b.N {
					if !json.Valid(claim) {
						b.Fatal("not JSON")
					}
				}
				reportProcessorTime(b, processorTime(b, self)-before)
			})
		}
	}
}
