package review

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/validation"
)

// Releases of Kubernetes whose rules apply, by version. The default of a version that is not there.
type Releases map[string]string

// ReleasesOf a cluster of a release: its rules for the versions that it served, and for the others
// those that they have by default, since claims in them come from clusters of another age. None is
// named by an empty release.
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
		return nil, fmt.Errorf("release %.20q of Kubernetes: there are rules of %s only", release,
			strings.Join(validation.AllReleases(), ", "))
	}
	return releases, nil
}
