package jsonconvert_test

import (
	"testing"

	"github.com/claimbridge/claimbridge/bridge/jsonconvert"
)

// TestConvert checks each pair of versions. The members keep their order.
func TestConvert(t *testing.T) {
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
		for from := range texts {
			for to := range texts {
				if from == to {
					continue
				}
				t.Run(kind+" from "+from+" to "+to, func(t *testing.T) {
					of := func(version string) string {
						return `{"apiVersion":"resource.k8s.io/` + version + `",` + texts[version]
					}
					got, err := jsonconvert.Convert([]byte(of(from)), kind, from, to)
					if err != nil || string(got) != of(to) {
						t.Errorf("%v\n got %s\nwant %s", err, got, of(to))
					}
				})
			}
		}
	}
}

// TestSupportedConversions checks which kinds and versions convert into each other.
func TestSupportedConversions(t *testing.T) {
	for _, test := range []struct {
		kind, from, to string
		want           bool
	}{
		{"ResourceClaim", "v1", "v1beta1", true},
		{"ResourceSlice", "v1beta1", "v1beta2", true},
		{"ResourceClaim", "v1", "v1alpha3", false},
		{"ResourceSlice", "v1", "v1alpha3", false},
		{"ResourceClaim", "v1", "v1", false},
		{"ResourceClaim", "v1beta1", "v1beta1", false},
		{"ResourceClaim", "v1beta1", "v1alpha3", false},
		{"ResourceClaim", "v1alpha3", "v1", false},
		{"DeviceTaintRule", "v1beta1", "v1", false},
		{"ResourceClaim", "v2", "v1", false},
		{"ResourceClaim", "v1", "v2", false},
	} {
		object := []byte(`{"metadata":{"name":"a"}}`)
		if _, err := jsonconvert.Convert(object, test.kind, test.from, test.to); (err == nil) != test.want {
			t.Errorf("%s from %s to %s: got %v, want success %t", test.kind, test.from, test.to, err, test.want)
		}
	}
}
