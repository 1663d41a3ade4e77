package migrate

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/internal/conversion"
)

func TestWhatIsComparedIsBoundedAndSaysSo(t *testing.T) {
	var all compared
	for part := range 3 {
		var c compared
		for i := range maxCompared / 2 {
			h := conversion.Header{Kind: newClass, Name: fmt.Sprintf("c-%d-%d", part, i)}
			c.add(objects, one{Header: h})
		}
		all.take(&c)
	}
	var said bytes.Buffer
	log := problems.Log{W: &said}
	all.advise(release.Target{Version: "v1"}, &log)
	want := "warning: there are more than 10000 claims, classes and kustomizations in files, 5000 of them were not " +
		"compared (too-many-to-compare)\n"
	if said.String() != want {
		t.Errorf("%q, want %q", said.String(), want)
	}
}
