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

// No part exceeds the limit of Kubernetes, and the joined parts equal the whole text.
func TestPartsAreJoined(t *testing.T) {
	for name, whole := range map[string]string{
		"a byte too many":       large("ResourceHandle", maxParameters-len(large("ResourceHandle", 0))+1),
		"two parts, to a byte":  large("ResourceHandle", 2*maxChunk-len(large("ResourceHandle", 0))),
		"three parts":           large("ResourceHandle", 2*maxChunk),
		"a hundred":             large("ClassicAllocation", 100*maxChunk-500),
		"no kind of ours":       `{"a":"` + strings.Repeat("x", 20_000) + `"}`,
		"a kind that is a book": large(strings.Repeat("K", 20_000), 1),
		"spelled at length":     strings.ReplaceAll(large("ResourceHandle", 12_000), "x", `\u0078`),
		"a kind of controls":    large(strings.Repeat(`\u0001`, 32), 12_000),
		"numbers of vendors": strings.Replace(large("ResourceHandle", 12_000), `,"data"`,
			`,"z":1.50,"big":12345678901234567890,"e":1e3,"data"`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			config := []v1.DeviceAllocationConfiguration{
				entry("d.example.com", `{}`), entry(names.Domain, whole), entry("d.example.com", `{"a":1}`),
			}
			parts := splitAllocationConfig(config)
			if len(parts) < 4 {
				t.Fatalf("%d entries", len(parts))
			}
			for i, c := range parts {
				if n := len(c.Opaque.Parameters.Raw); n > maxParameters || c.Source != v1.AllocationConfigSourceClass {
					t.Errorf("entry %d of %s has %d bytes", i, c.Source, n)
				}
			}
			joined := joinAllocationConfig(parts)
			canonical := string(objectjson.CanonicalWithDigits([]byte(whole)))
			if len(joined) != 3 || string(joined[1].Opaque.Parameters.Raw) != canonical {
				t.Errorf("%d entries, the second is %.200s", len(joined), joined[1].Opaque.Parameters.Raw)
			}
			// An API server may change their spelling.
			for i := range parts {
				o := *parts[i].Opaque
				o.Parameters.Raw = []byte(strings.ReplaceAll(string(o.Parameters.Raw), `"kind"`, ` "kind" `))
				parts[i].Opaque = &o
			}
			if again := joinAllocationConfig(parts); len(again) != 3 {
				t.Errorf("in another spelling they are %d entries", len(again))
			}
		})
	}
}

// An API server sorts the members of the whole entry and escapes <. Writing the result back changes nothing.
func TestPartsOfOneEntryAreTheSameInEverySpelling(t *testing.T) {
	parts := splitAllocationConfig([]v1.DeviceAllocationConfiguration{
		entry(names.Domain,
			`{"kind":"ResourceHandle","apiVersion":"`+EntryAPIVersion+`","data":"`+strings.Repeat("<", 12_000)+`"}`),
	})
	again := splitAllocationConfig([]v1.DeviceAllocationConfiguration{
		entry(names.Domain, strings.ReplaceAll(large("ResourceHandle", 12_000), "x", `\u003c`)),
	})
	if !reflect.DeepEqual(again, parts) {
		t.Error("they are not")
	}
}

// Earlier builds wrote parts in the spelling of the entry.
func TestPartsOfOtherSpellingsAreJoined(t *testing.T) {
	for name, whole := range map[string]string{
		"escapes": strings.ReplaceAll(large("ResourceHandle", 12_000), "x", `\u003c`),
		"order": `{"kind":"ResourceHandle","apiVersion":"` + EntryAPIVersion + `","data":"` + strings.Repeat("x",
			12_000) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			parts := textOf(whole)
			joined := joinAllocationConfig(parts)
			if len(joined) != 1 || string(joined[0].Opaque.Parameters.Raw) != whole {
				t.Errorf("%d entries are %d", len(parts), len(joined))
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
		"long because it is spelled so": {
			entry(names.Domain, strings.ReplaceAll(large("ResourceHandle", 3000), "x", `\u0078`)),
		},
	} {
		if parts := splitAllocationConfig(config); len(parts) != len(config) {
			t.Errorf("%s: %d entries became %d", name, len(config), len(parts))
		}
	}
}

// Entries that are not split like parts, or cannot be decoded when they are joined, are ordinary configuration.
func TestNonCanonicalPartsAreOrdinaryConfiguration(t *testing.T) {
	whole := splitAllocationConfig([]v1.DeviceAllocationConfiguration{
		entry(names.Domain, large("ResourceHandle", 2*maxChunk)),
	})
	change := func(i int, with func(*v1.DeviceAllocationConfiguration)) []v1.DeviceAllocationConfiguration {
		parts := slices.Clone(whole)
		o := *parts[i].Opaque
		parts[i].Opaque = &o
		with(&parts[i])
		return parts
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
		"parts of something too small": {part(t, 0, 2, "eyJhIjox"), part(t, 1, 2, "fQ==")},
		"parts of nothing":             {part(t, 0, 2, ""), part(t, 1, 2, "")},
		"parts of no object":           textOf(strings.Repeat(" ", 12_000)),
		"parts of a list":              textOf(`["` + strings.Repeat("x", 12_000) + `"]`),
		"a number beyond a float64": textOf(strings.Replace(large("ResourceHandle", 12_000), `,"data"`,
			`,"a":1e400,"data"`, 1)),
		"more levels than are read": textOf(strings.Replace(large("ResourceHandle", 12_000), `,"data"`,
			`,"a":`+strings.Repeat("[", 2000)+strings.Repeat("]", 2000)+`,"data"`, 1)),
		"a member that is there twice": textOf(strings.Replace(large("ResourceHandle", 12_000), `,"data"`,
			`,"data":"","data"`, 1)),
		"what is not in UTF-8":   textOf(strings.Replace(large("ResourceHandle", 12_000), `x`, "\xff", 1)),
		"parts with white space": textOf(strings.Replace(large("ResourceHandle", 12_000), ",", ", ", 1)),
	} {
		if joined := joinAllocationConfig(config); len(joined) != len(config) {
			t.Errorf("%s: %d entries became %d", name, len(config), len(joined))
		}
	}
}

func part(t *testing.T, i, of int64, text string) v1.DeviceAllocationConfiguration {
	t.Helper()
	return entry(names.Domain, string(objectjson.Marshal(&PartEntry{
		APIVersion: EntryAPIVersion, Kind: KindPart, Part: i, Parts: of, Text: text,
	})))
}

// textOf returns the parts of any text.
func textOf(text string) (parts []v1.DeviceAllocationConfiguration) {
	for _, p := range splitText([]byte(text)) {
		parts = append(parts, entry(names.Domain, string(p)))
	}
	return parts
}
