package preflight

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/conversion/lens"
)

func TestKindsAreThoseThatAreServed(t *testing.T) {
	for _, version := range config.AggregatedVersions {
		var want []string
		for _, kind := range lens.Kinds(version) {
			plural, _ := meta.UnsafeGuessKindToResource(schema.GroupVersionKind{Kind: kind})
			want = append(want, plural.Resource)
		}
		if got := kindsOf(version); len(want) == 0 || !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
			t.Errorf("%s: want %q, got %q", version, want, got)
		}
	}
}
