package lens

import (
	"slices"
	"testing"
)

// A version that stands in neither table, or in both, would be half of one sort and half of the other.
func TestEveryVersionIsClassicOrLater(t *testing.T) {
	later := slices.DeleteFunc(slices.Clone(Versions()), func(version string) bool { return classic[version] })
	if !slices.Equal(later, laterVersions) || len(classic)+len(later) != len(Versions()) {
		t.Errorf("of %q, %v are classic and %q later", Versions(), classic, laterVersions)
	}
}
