//go:build e2e

package cluster

import (
	"fmt"
	"net/http"
	"testing"
)

// An API server holds a copy of every claim for each version in memory, and sends it to whoever lists them. So no copy may
// be much greater than what is stored, however many pools share its parameters.
func TestCopiesInOldVersionsAreNotMuchGreater(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: megabytes are read in every version")
	}
	const times, more = 4, 64 << 10
	const claims = 2 // as many as a list needs to be one
	for what, status := range bigStatuses {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := builtInOff.space(t)
			for i := range claims {
				s.allocated(t, fmt.Sprintf("big-%d", i), status())
			}
			sizes := map[string]int{}
			for _, version := range versions {
				a := api{space: s, apiVersion: s.group + "/" + version}
				code, one := a.ask(t, http.MethodGet, "/big-0", "", nil)
				listed, all := a.ask(t, http.MethodGet, "", "", nil)
				if code != http.StatusOK || listed != http.StatusOK {
					t.Fatalf("%s: %d %.200s, %d %.200s", version, code, one, listed, all)
				}
				sizes[version], sizes["list of "+version] = len(one), len(all)
			}
			t.Log(sizes)
			for _, version := range versions[:len(versions)-1] {
				if most := times*sizes[stored] + more; sizes[version] > most {
					t.Errorf("%s: %d bytes stored, %d read, more than %d", version, sizes[stored], sizes[version], most)
				}
				if most := times*sizes["list of "+stored] + claims*more; sizes["list of "+version] > most {
					t.Errorf("%s: a list of %d bytes stored, %d read, more than %d", version, sizes["list of "+stored], sizes["list of "+version], most)
				}
			}
		})
	}
}
