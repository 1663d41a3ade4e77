package build

import "testing"

func TestImageHasTheVersionOfTheProgram(t *testing.T) {
	const old, tagged = "ghcr.io/claimbridge/claimbridge:v0.2.0", "ghcr.io/claimbridge/claimbridge:"
	for version, want := range map[string]string{
		"v0.2.0":                               tagged + "v0.2.0",
		"v1.0.0-rc.1":                          tagged + "v1.0.0-rc.1",
		"unknown":                              old,
		"(devel)":                              old,
		"v0.1.1-0.20261122160000-1b4520012345": old, // go install of a commit
		"v0.2.0-dirty":                         old,
		"v0.2.0+incompatible":                  old,
	} {
		if got := imageOf(old, version); got != want {
			t.Errorf("%s: got %s, want %s", version, got, want)
		}
	}
}
