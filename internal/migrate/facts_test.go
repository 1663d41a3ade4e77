package migrate

import (
	"fmt"
	"testing"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/release"
)

func TestFactsAreLimitedAndTheRestIsReported(t *testing.T) {
	var all Facts
	for part := range 3 {
		var f Facts
		for i := range maxCompared / 2 {
			h := conversion.Header{Kind: deviceClass, Name: fmt.Sprintf("c-%d-%d", part, i)}
			f.add(kindObjectsInFiles, fact{subject: findings.Subject{Header: h}})
		}
		all.Add(f)
	}
	found := all.Findings(release.Target{Version: "v1"})
	want := "warning: there are more than 10000 claims, classes and kustomizations in files: 5000 were not compared " +
		"(too-many-to-compare)"
	if len(found) != 1 || found[0].String() != want {
		t.Errorf("%v, want %q", found, want)
	}
}
