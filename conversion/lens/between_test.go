package lens_test

import (
	"testing"

	"github.com/claimbridge/claimbridge/conversion/lens"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// What a cluster of one version has, each other version shows, and says again when it is written.
func TestBetween(t *testing.T) {
	flat := `"kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"devices":{"requests":[{"name":"r",` +
		`"deviceClassName":"c","count":2}]}}}`
	exact := `"kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"devices":{"requests":[{"name":"r",` +
		`"exactly":{"deviceClassName":"c","count":2}}]}}}`
	basic := `"kind":"ResourceSlice","metadata":{"name":"a"},"spec":{"driver":"d","devices":[{"name":"x",` +
		`"basic":{"attributes":{"m":{"int":1}}}}]}}`
	plain := `"kind":"ResourceSlice","metadata":{"name":"a"},"spec":{"driver":"d","devices":[{"name":"x",` +
		`"attributes":{"m":{"int":1}}}]}}`
	claims := map[string]string{"v1": exact, "v1beta2": exact, "v1beta1": flat}
	slices := map[string]string{"v1": plain, "v1beta2": plain, "v1beta1": basic}
	for kind, texts := range map[string]map[string]string{"ResourceClaim": claims, "ResourceSlice": slices} {
		for served := range texts {
			for shown := range texts {
				if served == shown {
					continue
				}
				t.Run(kind+" in "+shown+" over "+served, func(t *testing.T) {
					l := must.Get(lens.Between(served, shown, kind))(t)
					of := func(version string) string {
						return `{"apiVersion":"resource.k8s.io/` + version + `",` + texts[version]
					}
					down, err := l.Down(nil, []byte(of(served)))
					if err != nil || string(down) != of(shown) {
						t.Errorf("shown: %v\n%s\nwant\n%s", err, down, of(shown))
					}
					up, err := l.Up(nil, []byte(of(shown)))
					if err != nil || string(up) != of(served) {
						t.Errorf("written: %v\n%s\nwant\n%s", err, up, of(served))
					}
				})
			}
		}
	}
}

func TestBetweenRefuses(t *testing.T) {
	for _, way := range [][3]string{
		{"v1", "v1", "ResourceClaim"},
		{"v1beta1", "v1beta1", "ResourceClaim"},
		{"v1beta1", "v1alpha3", "ResourceClaim"},
		{"v1alpha3", "v1", "ResourceClaim"},
		{"v1beta1", "v1", "DeviceTaintRule"},
		{"v2", "v1", "ResourceClaim"},
	} {
		if _, err := lens.Between(way[0], way[1], way[2]); err == nil {
			t.Errorf("%v has a lens", way)
		}
	}
}
