//go:build e2e

package integrations

import "testing"

// TestRenderersBuild builds what is not in the cache yet; make runs it first, as it takes minutes.
func TestRenderersBuild(t *testing.T) {
	built(t)
}
