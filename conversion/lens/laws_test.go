package lens

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/test/objects"
)

// lawCase is one stored object, seen through one lens.
type lawCase struct {
	testing.TB
	objects.Source
	*Lens
	version     string
	live, shown []byte
}

// TestLaws tries every law on the same objects, for every version and kind. CLAIMBRIDGE_SEED
// replays a run, CLAIMBRIDGE_OBJECTS sets how many objects.
func TestLaws(t *testing.T) {
	seed := objects.Seed(t)
	for _, version := range shownVersions {
		for _, kind := range Kinds(version) {
			t.Run(version+" "+kind, func(t *testing.T) {
				t.Parallel()
				source := objects.New(seed)
				for i := range max(10, objects.Count(t, "CLAIMBRIDGE_OBJECTS", 2500)/10) {
					c := &lawCase{
						TB: t, Source: source, Lens: newLens(t, version, kind), version: version,
						live: stored(t, source, kind),
					}
					if i%2 == 1 {
						c.live = salted(t, source, c.live)
					}
					if i%3 == 0 {
						c.live = spaced(c.live)
					}
					c.try(i)
				}
			})
		}
	}
}

func (c *lawCase) try(i int) {
	c.shown = c.do("down", c.Down, c.live)
	nothingOfOursIsShown(c)
	argumentsStay(c)
	if c.view == "" {
		aFragmentGainsNothing(c)
		whatIsShownIsWrittenAsInTree(c)
	}
	if c.Failed() {
		c.Fatalf("object %d:\n%s\nshown:\n%s", i, clip(c.live), clip(c.shown))
	}
}

func (c *lawCase) do(what string, f func(out, object []byte) ([]byte, error), object []byte) []byte {
	c.Helper()
	out, err := f([]byte("x"), object)
	if err != nil {
		c.Fatalf("%s: %v\n%s", what, err, clip(object))
	}
	if !bytes.HasPrefix(out, []byte("x")) || !json.Valid(out[1:]) {
		c.Fatalf("%s: no JSON behind what was there: %s", what, clip(out))
	}
	return out[1:]
}

// nothingOfOursIsShown: metadata is that of the stored object, and there is no field of ours.
func nothingOfOursIsShown(c *lawCase) {
	was, is := kjson.ListMembers(bytes.TrimSpace(c.live)), kjson.ListMembers(c.shown)
	got, want := is.Get("metadata"), was.Get("metadata")
	if !bytes.Equal(kjson.CanonicalForm(got), kjson.CanonicalForm(want)) {
		c.Errorf("metadata is shown as %s", got)
	}
	status := kjson.ListMembers(is.Get("status"))
	if status.Get("claimbridgeLeftover") != nil || status.Get("claimbridgeDeallocationRequested") != nil {
		c.Error("a field of ours is shown")
	}
	if _, err := conversionDecode(c.shown, c.version, c.kind); err != nil && !strings.Contains(err.Error(), "zzLater") {
		c.Errorf("what is shown is not of the version: %v", err)
	}
}

func argumentsStay(c *lawCase) {
	live, shown := bytes.Clone(c.live), bytes.Clone(c.shown)
	c.do("down", c.Down, c.live)
	if c.view == "" {
		c.do("up", c.Up, c.shown)
	}
	if !bytes.Equal(live, c.live) || !bytes.Equal(shown, c.shown) {
		c.Error("an argument was touched")
	}
}

// whatIsShownIsWrittenAsInTree: an API server that serves the version itself encodes its own types.
func whatIsShownIsWrittenAsInTree(c *lawCase) {
	plain := c.do("down", c.Down, written(c, typed(c, "v1", c.kind, c.live)))
	want := written(c, typed(c, c.version, c.kind, plain))
	if !bytes.Equal(plain, want) {
		c.Errorf("an API server would write it otherwise:\n got %s\nwant %s", clip(plain), clip(want))
	}
	back := written(c, typed(c, "v1", c.kind, c.do("up", c.Up, plain)))
	if want := written(c, typed(c, "v1", c.kind, c.live)); !bytes.Equal(back, want) {
		c.Errorf("up is not what it was:\n got %s\nwant %s", clip(back), clip(want))
	}
}
