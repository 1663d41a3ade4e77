package review

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/validation"
)

// Releases are the Kubernetes releases whose rules apply, by version. A version that is not in the map has its default
// release.
type Releases map[string]string

// ReleasesOf returns the releases for a cluster of a release: its rules apply to the versions that it served. Other
// versions have their default release, because their claims come from clusters of other releases. An empty release
// returns an empty map.
func ReleasesOf(release string) (Releases, error) {
	if release == "" {
		return nil, nil
	}
	releases := Releases{}
	for _, version := range api.Names() {
		if slices.Contains(validation.Releases(version), release) {
			releases[version] = release
		}
	}
	if len(releases) == 0 {
		return nil, fmt.Errorf("release %.20q: must be one of %s", release,
			strings.Join(validation.AllReleases(), ", "))
	}
	return releases, nil
}
