package lens

import (
	"fmt"
	"slices"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/conversion"
)

// Between is a lens for a cluster that serves another version than v1, or v1 itself: what is said of stored objects is said of those that the
// cluster takes and gives in the version served. It has Down, Up and Fragment; Put and PutStatus are of lenses over v1. v1alpha1, v1alpha2 and
// v1alpha3 there are over v1 alone.
func Between(served, shown, kind string) (*Lens, error) {
	switch {
	case served == conversion.Stored():
		return New(shown, kind)
	case served == shown || !saysAll(served) || !saysAll(shown) || !slices.Contains(Kinds(laterVersions[0]), kind):
		return nil, fmt.Errorf("there is no way between %s and %s of %s for %s", served, shown, api.Group, kind)
	}
	l := &Lens{version: shown, kind: kind, stored: api.Group + "/" + served, shown: api.Group + "/" + shown}
	between := edits[shown][kind]
	if from, ok := edits[served][kind]; ok { // v1 and v1beta2 differ in their names alone
		between = bothWays{down: from.up, up: from.down}
	}
	l.way = newLaterWay(l, between)
	return l, nil
}

// saysAll of what v1 says.
func saysAll(version string) bool {
	return version == conversion.Stored() || slices.Contains(laterVersions, version)
}
