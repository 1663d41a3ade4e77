package hub

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/internal/names"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

func entry(driver, parameters string) v1.DeviceAllocationConfiguration {
	return v1.DeviceAllocationConfiguration{
		Source: v1.AllocationConfigSourceClass,
		DeviceConfiguration: v1.DeviceConfiguration{
			Opaque: &v1.OpaqueDeviceConfiguration{
				Driver:     driver,
				Parameters: runtime.RawExtension{Raw: []byte(parameters)},
			},
		},
	}
}

func large(kind string, bytes int) string {
	return `{"apiVersion":"` + EntryAPIVersion + `","data":"` + strings.Repeat("x", bytes) + `","kind":"` + kind + `"}`
}

// No chunk exceeds the limit of Kubernetes, and the joined chunks equal the whole text.
func TestChunksAreJoined(t *testing.T) {
	for name, whole := range map[string]string{
		"a byte too many":              large("ResourceHandle", maxParameters-len(large("ResourceHandle", 0))+1),
		"two chunks, to a byte":        large("ResourceHandle", 2*maxChunk-len(large("ResourceHandle", 0))),
		"three chunks":                 large("ResourceHandle", 2*maxChunk),
		"a hundred":                    large("ClassicAllocation", 100*maxChunk-500),
		"no kind of claimbridge":       `{"a":"` + strings.Repeat("x", 20_000) + `"}`,
		"a very long kind":             large(strings.Repeat("K", 20_000), 1),
		"escaped letters":              strings.ReplaceAll(large("ResourceHandle", 12_000), "x", `\u0078`),
		"a kind of control characters": large(strings.Repeat(`\u0001`, 32), 12_000),
		"numbers of vendors": strings.Replace(large("ResourceHandle", 12_000), `,"data"`,
			`,"z":1.50,"big":12345678901234567890,"e":1e3,"data"`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			config := []v1.DeviceAllocationConfiguration{
				entry("d.example.com", `{}`), entry(names.Domain, whole), entry("d.example.com", `{"a":1}`),
			}
			chunks := splitAllocationConfig(config)
			if len(chunks) < 4 {
				t.Fatalf("%d entries", len(chunks))
			}
			for i, c := range chunks {
				if n := len(c.Opaque.Parameters.Raw); n > maxParameters || c.Source != v1.AllocationConfigSourceClass {
					t.Errorf("entry %d of %s has %d bytes", i, c.Source, n)
				}
			}
			joined := joinAllocationConfig(chunks)
			canonical := string(objectjson.CanonicalWithDigits([]byte(whole)))
			if len(joined) != 3 || string(joined[1].Opaque.Parameters.Raw) != canonical {
				t.Errorf("%d entries, the second is %.200s", len(joined), joined[1].Opaque.Parameters.Raw)
			}
			// An API server may write the parameters with other spaces.
			for i := range chunks {
				o := *chunks[i].Opaque
				o.Parameters.Raw = []byte(strings.ReplaceAll(string(o.Parameters.Raw), `"kind"`, ` "kind" `))
				chunks[i].Opaque = &o
			}
			if again := joinAllocationConfig(chunks); len(again) != 3 {
				t.Errorf("got %d entries with other spaces, want 3", len(again))
			}
		})
	}
}

// An API server sorts the members of the whole entry and escapes <. Writing the result back changes nothing.
func TestChunksOfOneEntryAreTheSameInEverySpelling(t *testing.T) {
	chunks := splitAllocationConfig([]v1.DeviceAllocationConfiguration{
		entry(names.Domain,
			`{"kind":"ResourceHandle","apiVersion":"`+EntryAPIVersion+`","data":"`+strings.Repeat("<", 12_000)+`"}`),
	})
	again := splitAllocationConfig([]v1.DeviceAllocationConfiguration{
		entry(names.Domain, strings.ReplaceAll(large("ResourceHandle", 12_000), "x", `\u003c`)),
	})
	if !reflect.DeepEqual(again, chunks) {
		t.Errorf("the spellings have different chunks, got:\n%.500s\nwant:\n%.500s",
			objectjson.Marshal(again), objectjson.Marshal(chunks))
	}
}

// Earlier builds wrote chunks in the spelling of the entry.
func TestChunksOfOtherSpellingsAreJoined(t *testing.T) {
	for name, whole := range map[string]string{
		"escapes": strings.ReplaceAll(large("ResourceHandle", 12_000), "x", `\u003c`),
		"order": `{"kind":"ResourceHandle","apiVersion":"` + EntryAPIVersion + `","data":"` + strings.Repeat("x",
			12_000) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			chunks := textOf(whole)
			joined := joinAllocationConfig(chunks)
			if len(joined) != 1 || string(joined[0].Opaque.Parameters.Raw) != whole {
				t.Errorf("%d chunks were joined to %d entries, want the one that was split", len(chunks), len(joined))
			}
		})
	}
}

func TestSmallAndForeignEntriesAreNotSplit(t *testing.T) {
	for name, config := range map[string][]v1.DeviceAllocationConfiguration{
		"nothing": nil,
		"as large as may be": {
			entry(names.Domain, large("ResourceHandle", maxParameters-len(large("ResourceHandle", 0)))),
		},
		"of another driver": {entry("d.example.com", large("ResourceHandle", 20_000))},
		"a list":            {entry(names.Domain, `["`+strings.Repeat("x", 20_000)+`"]`)},
		"beyond a float64": {
			entry(names.Domain, strings.Replace(large("ResourceHandle", 20_000), `,"data"`, `,"a":1e400,"data"`, 1)),
		},
		"too deep":       {entry(names.Domain, `{"a":`+strings.Repeat("[", 9000)+strings.Repeat("]", 9000)+`}`)},
		"not opaque":     {{Source: v1.AllocationConfigSourceClass}},
		"no JSON at all": {entry(names.Domain, strings.Repeat("x", 20_000))},
		"numbers that are longer in another spelling": {
			entry(names.Domain, `{"a":[`+strings.Repeat("1e18,", 2000)+"1"+strings.Repeat(" ", 1000)+`]}`),
		},
		"long only because of escapes": {
			entry(names.Domain, strings.ReplaceAll(large("ResourceHandle", 3000), "x", `\u0078`)),
		},
	} {
		if chunks := splitAllocationConfig(config); len(chunks) != len(config) {
			t.Errorf("%s: %d entries became %d", name, len(config), len(chunks))
		}
	}
}

// Entries that are not split like chunks, or cannot be decoded when they are joined, are ordinary configuration.
func TestNonCanonicalChunksAreOrdinaryConfiguration(t *testing.T) {
	whole := splitAllocationConfig([]v1.DeviceAllocationConfiguration{
		entry(names.Domain, large("ResourceHandle", 2*maxChunk)),
	})
	change := func(i int, with func(*v1.DeviceAllocationConfiguration)) []v1.DeviceAllocationConfiguration {
		chunks := slices.Clone(whole)
		o := *chunks[i].Opaque
		chunks[i].Opaque = &o
		with(&chunks[i])
		return chunks
	}
	reads := func(old, new string) func(*v1.DeviceAllocationConfiguration) {
		return func(c *v1.DeviceAllocationConfiguration) {
			changed := strings.Replace(string(c.Opaque.Parameters.Raw), old, new, 1)
			if changed == string(c.Opaque.Parameters.Raw) {
				t.Fatalf("there is no %s", old)
			}
			c.Opaque.Parameters.Raw = []byte(changed)
		}
	}
	for name, config := range map[string][]v1.DeviceAllocationConfiguration{
		"one is missing":       whole[:2],
		"the first is missing": whole[1:],
		"another order":        {whole[1], whole[0], whole[2]},
		"another number":       change(1, reads(`"part":1`, `"part":2`)),
		"other parts":          change(2, reads(`"parts":3`, `"parts":4`)),
		"so many parts":        change(0, reads(`"parts":3`, `"parts":3000000000`)),
		"no part at all":       change(0, reads(`"parts":3`, `"parts":-1`)),
		"of another kind":      change(2, reads(`"of":"ResourceHandle"`, `"of":"ClassicAllocation"`)),
		"another text":         change(2, reads(`"text":"eHh4`, `"text":"eHh5eQ`)),
		"no base64":            change(1, reads(`"text":"eHh4`, `"text":"!!!!`)),
		"a member more":        change(1, reads(`"part":1`, `"more":1,"part":1`)),
		"of another source": change(1, func(c *v1.DeviceAllocationConfiguration) {
			c.Source = v1.AllocationConfigSourceClaim
		}),
		"for some requests": change(1, func(c *v1.DeviceAllocationConfiguration) {
			c.Requests = []string{"r"}
		}),
		"of another driver": change(1, func(c *v1.DeviceAllocationConfiguration) {
			c.Opaque.Driver = "d.example.com"
		}),
		"chunks of something too small": {part(t, 0, 2, "eyJhIjox"), part(t, 1, 2, "fQ==")},
		"chunks of nothing":             {part(t, 0, 2, ""), part(t, 1, 2, "")},
		"chunks of no object":           textOf(strings.Repeat(" ", 12_000)),
		"chunks of a list":              textOf(`["` + strings.Repeat("x", 12_000) + `"]`),
		"a number beyond a float64": textOf(strings.Replace(large("ResourceHandle", 12_000), `,"data"`,
			`,"a":1e400,"data"`, 1)),
		"more levels than are read": textOf(strings.Replace(large("ResourceHandle", 12_000), `,"data"`,
			`,"a":`+strings.Repeat("[", 2000)+strings.Repeat("]", 2000)+`,"data"`, 1)),
		"a member that is there twice": textOf(strings.Replace(large("ResourceHandle", 12_000), `,"data"`,
			`,"data":"","data"`, 1)),
		"what is not in UTF-8":    textOf(strings.Replace(large("ResourceHandle", 12_000), `x`, "\xff", 1)),
		"chunks with white space": textOf(strings.Replace(large("ResourceHandle", 12_000), ",", ", ", 1)),
	} {
		if joined := joinAllocationConfig(config); len(joined) != len(config) {
			t.Errorf("%s: %d entries became %d", name, len(config), len(joined))
		}
	}
}

func part(t *testing.T, i, of int64, text string) v1.DeviceAllocationConfiguration {
	t.Helper()
	return entry(names.Domain, string(objectjson.Marshal(&ChunkEntry{
		APIVersion: EntryAPIVersion, Kind: KindChunk, Index: i, Count: of, Text: text,
	})))
}

// textOf returns the chunks of any text.
func textOf(text string) (chunks []v1.DeviceAllocationConfiguration) {
	for _, p := range splitText([]byte(text)) {
		chunks = append(chunks, entry(names.Domain, string(p)))
	}
	return chunks
}
