//go:build e2e

package alerts

import "testing"

// TestPrometheusBuilds builds what is not in the cache yet; make runs it first, as it takes minutes.
func TestPrometheusBuilds(t *testing.T) {
	if _, err := Set(".").Folder(t.Context()); err != nil {
		t.Fatal(err)
	}
}
