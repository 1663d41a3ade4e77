package lens

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/conversion/internal/merge"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/test/objects"
)

// lawCase is one stored object, seen through one lens.
type lawCase struct {
	testing.TB
	objects.Source
	*Lens
	live, shown []byte
}

// TestLaws tries every law on the same objects, for every version and kind. CLAIMBRIDGE_SEED replays a run, CLAIMBRIDGE_OBJECTS sets
// how many objects.
func TestLaws(t *testing.T) {
	seed := objects.Seed(t)
	for _, version := range Versions() {
		for _, kind := range Kinds(version) {
			t.Run(version+" "+kind, func(t *testing.T) {
				t.Parallel()
				source := objects.New(seed)
				for i := range max(10, objects.Count(t, "CLAIMBRIDGE_OBJECTS", 2500)/10) {
					c := &lawCase{TB: t, Source: source, Lens: newLens(t, version, kind), live: stored(t, source, kind)}
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
	whatIsNotChangedStays(c)
	whatAClientDoesNotKnowStays(c)
	nothingOfOursIsShown(c)
	whatIsWrittenIsRead(c)
	partsAreIndependent(c)
	aFragmentGainsNothing(c)
	whatIsShownIsWrittenAsInTree(c)
	argumentsStay(c)
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

// puts are the writes that a kind has.
func (c *lawCase) puts() map[string]func(out, live, object []byte) ([]byte, error) {
	puts := map[string]func(out, live, object []byte) ([]byte, error){"put": c.Put}
	if c.kind == api.KindClaim {
		puts["put status"] = c.PutStatus
	}
	return puts
}

func (c *lawCase) put(live, object []byte, status bool) []byte {
	c.Helper()
	put := c.Put
	if status {
		put = c.PutStatus
	}
	return c.do("put", func(out, object []byte) ([]byte, error) { return put(out, live, object) }, object)
}

// put(L, down(L)) = L
func whatIsNotChangedStays(c *lawCase) {
	for name, put := range c.puts() {
		got := c.do(name, func(out, object []byte) ([]byte, error) { return put(out, c.live, object) }, c.shown)
		if !bytes.Equal(got, c.live) {
			c.Errorf("%s of what is shown changes the object:\n%s", name, clip(got))
		}
	}
}

// A typed client reads what it knows and writes that back, in its own spelling.
func whatAClientDoesNotKnowStays(c *lawCase) {
	object := written(c, typed(c, c.version, c.kind, c.shown))
	for name, put := range c.puts() {
		got := c.do(name, func(out, object []byte) ([]byte, error) { return put(out, c.live, object) }, object)
		if !bytes.Equal(got, c.live) {
			c.Errorf("%s of what a client knows changes the object:\n%s\n%s", name, clip(object), clip(got))
		}
	}
}

// nothingOfOursIsShown: metadata is that of the stored object, and there is no field of ours.
func nothingOfOursIsShown(c *lawCase) {
	was, is := merge.PartsOf(bytes.TrimSpace(c.live)), merge.PartsOf(c.shown)
	if got, want := is.Get("metadata"), was.Get("metadata"); !bytes.Equal(kjson.CanonicalForm(got), kjson.CanonicalForm(want)) {
		c.Errorf("metadata is shown as %s", got)
	}
	if status := merge.PartsOf(is.Get("status")); status.Get("claimbridgeLeftover") != nil || status.Get("claimbridgeDeallocationRequested") != nil {
		c.Error("a field of ours is shown")
	}
	if _, err := conversionDecode(c.shown, c.version, c.kind); err != nil && !strings.Contains(err.Error(), "zzLater") {
		c.Errorf("what is shown is not of the version: %v", err)
	}
}

// down(put(L, W)) = W, in what a write reaches, and all else stays.
func whatIsWrittenIsRead(c *lawCase) {
	for _, status := range []bool{false, true} {
		if status && c.kind != api.KindClaim {
			continue
		}
		object := c.edited(c.shown, status)
		put := c.put(c.live, object, status)
		c.reads(c.do("down", c.Down, put), object, status)
		was, is := merge.PartsOf(bytes.TrimSpace(c.live)), merge.PartsOf(put)
		closed := "status"
		if status {
			closed = "spec"
		}
		if !bytes.Equal(was.Get(closed), is.Get(closed)) {
			c.Errorf("%s was changed by a write that does not reach it", closed)
		}
		if again := c.put(put, object, status); !bytes.Equal(again, put) {
			c.Errorf("the same write changes the object again:\n%s\n%s", clip(put), clip(again))
		}
	}
}

// reads compares what is read with what was written before, as far as that write reaches.
func (c *lawCase) reads(read, object []byte, status bool) {
	c.Helper()
	got, want := c.reached(read, status), c.reached(object, status)
	if !equality.Semantic.DeepEqual(got, want) {
		c.Errorf("what was written is not read back (-written +read):\n%s\n%s", cmp.Diff(want, got), clip(object))
	}
}

// reached is the part of an object that a write reaches, decoded.
func (c *lawCase) reached(object []byte, status bool) any {
	c.Helper()
	m := merge.PartsOf(object)
	part := `{"metadata":{"name":"x"},"status":` + string(orNull(m.Get("status"))) + `}`
	if !status {
		part = `{"metadata":` + string(orNull(m.Get("metadata"))) + `,"spec":` + string(orNull(m.Get("spec"))) + `}`
	}
	return typed(c, c.version, c.kind, kjson.Canonical([]byte(part))) // parameters are compared by what they say
}

func orNull(value []byte) []byte {
	if value == nil {
		return null
	}
	return value
}

// partsAreIndependent: a write to the main resource and one to /status may come in any order. A classic allocation is for the first
// request of the spec, which no API server lets anybody change.
func partsAreIndependent(c *lawCase) {
	if c.kind != api.KindClaim {
		return
	}
	main, status := c.edited(c.shown, false), c.edited(c.shown, true)
	if !api.IsNative(c.version) {
		var err error
		if main, err = withMember(main, "spec", partGet(c.shown, "spec")); err != nil {
			c.Fatal(err)
		}
	}
	main, status = drop(c, main, "resourceVersion"), drop(c, status, "resourceVersion")
	one := c.put(c.put(c.live, main, false), status, true)
	other := c.put(c.put(c.live, status, true), main, false)
	if !bytes.Equal(kjson.CanonicalForm(one), kjson.CanonicalForm(other)) {
		c.Errorf("main first and status first give different objects:\n%s\n%s", clip(one), clip(other))
	}
}

func drop(c *lawCase, object []byte, member string) []byte {
	c.Helper()
	out, err := rewrite(nil, object, map[string]edit{"metadata": within(map[string]edit{member: dropped})})
	if err != nil {
		c.Fatal(err)
	}
	return out
}

func argumentsStay(c *lawCase) {
	live, shown := bytes.Clone(c.live), bytes.Clone(c.shown)
	c.put(c.live, c.shown, false)
	c.put(c.live, c.edited(c.shown, false), false)
	if !bytes.Equal(live, c.live) || !bytes.Equal(shown, c.shown) {
		c.Error("an argument was touched")
	}
}

// whatIsShownIsWrittenAsInTree: an API server that serves the version itself encodes its own types.
func whatIsShownIsWrittenAsInTree(c *lawCase) {
	if !api.IsNative(c.version) {
		return
	}
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
