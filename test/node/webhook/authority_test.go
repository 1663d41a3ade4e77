//go:build node

package webhook

import (
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
)

// newCA for a year.
func newCA(t *testing.T, name string) *plane.Authority {
	t.Helper()
	ca, err := plane.NewAuthorityFor(name, 365*24*time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	return ca
}
