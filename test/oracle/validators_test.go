package oracle

import (
	"slices"
	"testing"

	"github.com/claimbridge/claimbridge/api"
)

// TestEveryReleaseHasAValidator checks that each release with devices that served a version has a validator. Of earlier
// releases, there is one validator for each version.
func TestEveryReleaseHasAValidator(t *testing.T) {
	for _, v := range api.Versions() {
		for _, name := range v.ServingReleases() {
			if r, _ := api.FindRelease(name); !v.Devices || r.Provisional != "" {
				continue // a release that is not published need not have one
			}
			if _, found := Find(name); !found {
				t.Errorf("Kubernetes %s served %s: a row of Validators is missing, and a module file in test/upstream",
					name, v.Name)
			}
		}
	}
}

func TestChosen(t *testing.T) {
	for releases, want := range map[string][]string{
		"":          {"1.26", "1.30", "1.31", "1.33", "1.36", "1.37"},
		"all":       {"1.26", "1.30", "1.31", "1.32", "1.33", "1.34", "1.35", "1.36", "1.37"},
		"1.37 1.31": {"1.37", "1.31"},
		"1.38":      {"1.38"},
		"1.25":      nil,
	} {
		chosen, err := Chosen(releases)
		var got []string
		for _, v := range chosen {
			got = append(got, v.Name)
		}
		if !slices.Equal(got, want) || (err != nil) != (want == nil) {
			t.Errorf("%q: %v, %v", releases, got, err)
		}
	}
}
