//go:build e2e

package clients

import (
	"slices"
	"testing"
)

// A client that is to speak a version that its release has not does not compile.
func TestTheTablesAgree(t *testing.T) {
	for version, release := range Releases {
		if !slices.Contains(Speaks[release], version) {
			t.Errorf("the client of %s does not speak %s", release, version)
		}
	}
}
