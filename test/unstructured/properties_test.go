package unstructured

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/test/objects"
)

// propertyCase is one object of v1 and its conversion into the version of a client.
type propertyCase struct {
	testing.TB
	objects.Source
	client
	live, converted []byte
}

// TestProperties checks all properties with the same objects, for every version and kind. CLAIMBRIDGE_SEED replays a
// run, CLAIMBRIDGE_OBJECTS sets the number of objects.
func TestProperties(t *testing.T) {
	seed := objects.Seed(t)
	for _, version := range otherVersions {
		for _, kind := range kindsOf(version) {
			t.Run(version+" "+kind, func(t *testing.T) {
				t.Parallel()
				source := objects.New(seed)
				for i := range max(10, objects.Count(t, "CLAIMBRIDGE_OBJECTS", 2500)/10) {
					c := &propertyCase{
						TB: t, Source: source, client: clientOf(version, kind),
						live: stored(t, source, kind),
					}
					if i%2 == 1 {
						c.live = salted(t, source, c.live)
					}
					if i%3 == 0 {
						c.live = indented(c.live)
					}
					c.check(i)
				}
			})
		}
	}
}

func (c *propertyCase) check(i int) {
	c.converted = c.do("read", c.read, c.live)
	nothingIsAdded(c)
	argumentsAreUnchanged(c)
	if !isProjection(c.version) {
		fragmentsGainNoFields(c)
		resultIsThatOfKubernetes(c)
	}
	if c.Failed() {
		c.Fatalf("object %d:\n%s\nin the version:\n%s", i, clip(c.live), clip(c.converted))
	}
}

func (c *propertyCase) do(what string, convert func(object []byte) ([]byte, error), object []byte) []byte {
	c.Helper()
	out, err := convert(object)
	if err != nil {
		c.Fatalf("%s: %v\n%s", what, err, clip(object))
	}
	if !json.Valid(out) {
		c.Fatalf("%s: not JSON: %s", what, clip(out))
	}
	return out
}

// nothingIsAdded checks that the metadata is unchanged, and that there is no field of claimbridge.
func nothingIsAdded(c *propertyCase) {
	before, after := objectjson.ListMembers(bytes.TrimSpace(c.live)), objectjson.ListMembers(c.converted)
	got, want := after.Get("metadata"), before.Get("metadata")
	if !bytes.Equal(objectjson.CanonicalOrSame(got), objectjson.CanonicalOrSame(want)) {
		c.Errorf("metadata became %s", got)
	}
	status := objectjson.ListMembers(after.Get("status"))
	if status.Get("claimbridgeLeftover") != nil || status.Get("claimbridgeDeallocationRequested") != nil {
		c.Error("a field of claimbridge was added")
	}
	err := decodeStrictly(c.converted, c.version, c.kind)
	if err != nil && !strings.Contains(err.Error(), "zzLater") {
		c.Errorf("the version has no such object: %v", err)
	}
}

func argumentsAreUnchanged(c *propertyCase) {
	live, converted := bytes.Clone(c.live), bytes.Clone(c.converted)
	c.do("read", c.read, c.live)
	if !isProjection(c.version) {
		c.do("write", c.write, c.converted)
	}
	if !bytes.Equal(live, c.live) || !bytes.Equal(converted, c.converted) {
		c.Error("an argument was changed")
	}
}

// resultIsThatOfKubernetes checks that an API server that serves the version encodes its own types to the same bytes.
func resultIsThatOfKubernetes(c *propertyCase) {
	plain := c.do("read", c.read, encode(c, typed(c, "v1", c.kind, c.live)))
	want := encode(c, typed(c, c.version, c.kind, plain))
	if !bytes.Equal(plain, want) {
		c.Errorf("an API server writes it differently:\n got %s\nwant %s", clip(plain), clip(want))
	}
	back := encode(c, typed(c, "v1", c.kind, c.do("write", c.write, plain)))
	if want := encode(c, typed(c, "v1", c.kind, c.live)); !bytes.Equal(back, want) {
		c.Errorf("the round trip changed the object:\n got %s\nwant %s", clip(back), clip(want))
	}
}
