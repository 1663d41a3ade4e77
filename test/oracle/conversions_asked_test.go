//go:build oracle

package oracle

import (
	"maps"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// TestJudgesConvert asks each chosen judge that serves both versions: with one release there may be none.
func TestJudgesConvert(t *testing.T) {
	for _, j := range chosen(t) {
		if !slices.ContainsFunc(slices.Collect(maps.Values(conversions)), func(c judgedConversion) bool { return c.served(j) }) {
			continue
		}
		u := j.start(t)
		for name, c := range conversions {
			if !c.served(j) {
				continue
			}
			a := u.convert(t, c.object(t), c.to, c.withDefaults)
			if a.Undecodable+a.Panic != "" {
				t.Errorf("%s, Kubernetes %s: %s", name, j.Name, a.Undecodable+a.Panic)
				continue
			}
			got, want := parse(t, a.Object), fromYAML(t, c.want)
			if version := got["apiVersion"]; version != "resource.k8s.io/"+c.to {
				t.Errorf("%s, Kubernetes %s: it says that it is of %v", name, j.Name, version)
			}
			devices := fromYAML(t, string(render(t, got["spec"].(tree)["devices"].(tree), false))) // numbers as YAML has them
			if diff := gocmp.Diff(want, devices); diff != "" {
				t.Errorf("%s, Kubernetes %s (-want +got):\n%s", name, j.Name, diff)
			}
		}
	}
}
