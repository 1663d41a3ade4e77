package conversion

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion/preserve"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/test/objects"
)

// slack in bytes is allowed in addition to a multiple of the stored size.
const slack = 4 << 10

// TestLargeClaims checks claims near all limits. No write of the main resource changes the stored status, in any stored
// version. A status write by a client that drops claimbridge's field restores all data or is rejected. No copy has more
// than about four times the stored size.
func TestLargeClaims(t *testing.T) {
	if objects.RaceEnabled {
		t.Skip("megabytes in one goroutine: the race detector takes minutes, and sees nothing")
	}
	first := objects.Seed(t)
	for _, storedAs := range Versions() {
		t.Run("stored in "+storedAs, func(t *testing.T) {
			t.Parallel()
			source := objects.New(first)
			for i := range max(count(t)/125, 4) {
				size := 1 << 10 << source.IntN(8) // to 128 KiB
				if i == 0 {
					size = 3 << 19 // the limit of etcd
				}
				c := &propertyCase{T: t, Source: source, kind: api.KindClaim, from: Stored()}
				stored := sortedAndEscaped(t, encode(withDefaults(source.NearLimits(storedAs, size))))
				c.object = c.convert(stored, Stored())
				for _, c.to = range Versions() {
					outlivesWrites(c, stored, storedAs)
					idleWritesStoreNothing(c)
					if t.Failed() {
						t.Fatalf("object %d of %d bytes: %s", i, size, clip(stored))
					}
				}
			}
		})
	}
}

func outlivesWrites(c *propertyCase, stored []byte, storedAs string) {
	c.Helper()
	var report Report
	var err error
	if c.output, report, err = ConvertJSON(stored, c.to, Options{Strict: true}); err != nil {
		c.Fatalf("to %s: %v", c.to, err)
	}
	if most := 5*max(len(stored), len(c.object)) + slack; len(c.output) > most {
		c.Errorf("the copy in %s has %d bytes, what is stored has %d", c.to, len(c.output), len(stored))
	}
	status := objectjson.Canonical(statusOf(c, c.object))
	for what, written := range c.mainWrites(storedAs) {
		again, _, err := ConvertJSON(written, Stored(), Options{})
		if errors.Is(err, ErrIncomplete) && !strings.Contains(what, "as ") && what != "with a label" {
			continue // the preserved data was removed
		}
		if err != nil {
			c.Errorf("a main write through %s, %s: %v", c.to, what, err)
		} else if got := objectjson.Canonical(statusOf(c, again)); !bytes.Equal(got, status) {
			c.Errorf("a main write through %s, %s, changed the status:\n was %s\n now %s", c.to, what, clip(status),
				clip(got))
		}
	}
	dropped, _, err := ConvertJSON(c.withoutPreservedField(c.output), Stored(), Options{})
	switch {
	case errors.Is(err, ErrIncomplete) && (report.Incomplete == "status" || report.Incomplete == "both"):
	case err != nil:
		c.Errorf("a status write through %s without the field: %v", c.to, err)
	case !bytes.Equal(objectjson.Canonical(statusOf(c, dropped)), status):
		c.Errorf("a status write through %s without the field changed the status", c.to)
	}
}

// mainWrites writes the client's metadata together with the stored status.
func (c *propertyCase) mainWrites(storedAs string) map[string][]byte {
	written := map[string][]byte{
		"as it was read":             c.output,
		"as an API server spells it": sortedAndEscaped(c.T, c.output),
	}
	write := func(what string, change func(*metav1.ObjectMeta)) {
		o := c.decodeTyped(c.output)
		change(metaOf(o))
		written[what] = encode(o)
	}
	write("with a label", func(m *metav1.ObjectMeta) { metav1.SetMetaDataLabel(m, "touched", "yes") })
	write("without annotations", func(m *metav1.ObjectMeta) { m.Annotations = nil })
	if c.to != storedAs { // an object in its stored version has no field: the validating webhook protects it
		write("with another spec", func(m *metav1.ObjectMeta) {
			metav1.SetMetaDataAnnotation(m, preserve.SpecAnnotation, forgedSpec)
		})
		write("with another status", func(m *metav1.ObjectMeta) {
			forged := `{"uid":"` + string(m.UID) + `","status":` + forgedStatus + `}`
			metav1.SetMetaDataAnnotation(m, preserve.StatusAnnotation, forged)
		})
	}
	return written
}

func statusOf(c *propertyCase, object []byte) []byte {
	members, _, err := objectjson.Members(object)
	if err != nil {
		c.Fatal(err)
	}
	status := objectjson.Get(members, "status")
	if string(status) == "{}" {
		return nil
	}
	// The order of members of types is ignored, but the bytes of parameters are compared.
	return WithoutEmpty(encode(withDefaults(c.decodeTyped(encode(map[string]json.RawMessage{
		"apiVersion": json.RawMessage(`"resource.k8s.io/` + c.from + `"`),
		"kind":       json.RawMessage(`"ResourceClaim"`),
		"status":     orNull(status),
	})))))
}

func orNull(status []byte) []byte {
	if status == nil {
		return []byte("null")
	}
	return status
}
