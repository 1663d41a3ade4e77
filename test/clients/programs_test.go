//go:build e2e

package clients

import (
	"slices"
	"testing"
)

// TestReleasesSupportTheirVersions checks that each release in Releases has its version. Otherwise its client would not
// compile.
func TestReleasesSupportTheirVersions(t *testing.T) {
	for version, release := range Releases {
		if !slices.Contains(SupportedVersions[release], version) {
			t.Errorf("the client of %s does not support %s", release, version)
		}
	}
}
