//go:build e2e

package future

import (
	"strings"
	"testing"
)

// A place that is forgotten fails the build or the tests that its row names.
func TestEachPlaceIsRedWhenForgotten(t *testing.T) {
	for what, places := range map[string][]place{"version": aVersion(t), "release": aRelease()} {
		for i, p := range places {
			t.Run(what+": "+p.write, func(t *testing.T) {
				folder := tree(t, without(places, i))
				if output, err := run(t, folder, append([]string{"test", "-vet=off", "-short"}, strings.Fields(p.red)...)...); err == nil {
					t.Errorf("%s in %s is forgotten, and go test %s passes:\n%s", p.write, p.in, p.red, output)
				}
			})
		}
	}
}
