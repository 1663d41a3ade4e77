//go:build oracle

package oracle

import (
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// TestJudgesConvert asks each judge that serves both versions.
func TestJudgesConvert(t *testing.T) {
	asked := map[string]bool{}
	for _, j := range chosen(t) {
		if j.Name < "1.33" { // which has the older shape alone
			continue
		}
		u := j.start(t)
		for name, c := range conversions {
			if !slices.Contains(j.Versions, c.from) || !slices.Contains(j.Versions, c.to) {
				continue
			}
			asked[name] = true
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
	for name := range conversions {
		if !asked[name] {
			t.Errorf("%s: no judge was asked", name)
		}
	}
}
