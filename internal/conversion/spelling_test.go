package conversion

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/internal/conversion/preserve"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// spellings are the texts of one value that an API server, a formatter or a sorting tool writes.
var spellings = map[string]func(t *testing.T, object []byte) []byte{
	"sorted and escaped": sortedAndEscaped,
	"sorted":             func(t *testing.T, object []byte) []byte { return sorted(t, object, false) },
	"indented":           indented,
}

// sortedAndEscaped returns the text that Go and API servers write for maps: <, >, &, U+2028 and U+2029 are escaped.
// Numbers keep their spelling.
func sortedAndEscaped(t *testing.T, object []byte) []byte { return sorted(t, object, true) }

func sorted(t *testing.T, object []byte, escape bool) []byte {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(object))
	dec.UseNumber()
	var members any
	must.Do(t, dec.Decode(&members))
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(escape)
	must.Do(t, enc.Encode(members))
	return bytes.TrimSpace(out.Bytes())
}

func indented(t *testing.T, object []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	must.Do(t, json.Indent(&out, object, "", "    "))
	return out.Bytes()
}

// spellingDoesNotMatter checks that a reformatted object has the same meaning. It preserves no more data, and
// white space does not make the preserved data larger.
func spellingDoesNotMatter(c *propertyCase) {
	for name, spell := range spellings {
		o := c.options
		o.ListPreserved = true
		output, report, err := ConvertJSON(spell(c.T, c.object), c.to, o)
		if err != nil {
			c.Fatalf("%s: %v", name, err)
		}
		if got, want := c.value(output), c.value(c.output); !bytes.Equal(got, want) {
			c.Errorf("%s: another result:\n got %s\nwant %s", name, clip(got), clip(want))
		}
		_, plain, _ := ConvertJSON(c.object, c.to, o)
		if len(report.Preserved) != len(plain.Preserved) {
			c.Errorf("%s: preserved %q, want %q", name, report.Preserved, plain.Preserved)
		}
		if c.report.Incomplete != "" || len(c.report.Lost) > 0 {
			continue
		}
		back, report, err := ConvertJSON(spell(c.T, c.output), c.from, o)
		if err != nil || len(report.Ignored)+len(report.Stale) > 0 {
			c.Fatalf("%s, reverse conversion: %v, ignored %q", name, err, report.Ignored)
		}
		if c.isOriginal && c.from == Versions()[0] && c.to == Stored() && len(report.Preserved) > 0 {
			c.Errorf("%s: the reverse conversion preserved %q", name, report.Preserved)
		}
		plainBack, _, err := ConvertJSON(c.output, c.from, c.options)
		if err != nil {
			c.Fatal(err)
		}
		if got, want := c.value(back), c.value(plainBack); !bytes.Equal(got, want) {
			c.Errorf("%s: the round trip changed the object:\n got %s\nwant %s", name, clip(got), clip(want))
		}
	}
}

// idleWritesStoreNothing checks that an update without changes stores the same bytes, although an API server
// changes spellings in both directions. Otherwise clients of two versions could trigger each other endlessly.
func idleWritesStoreNothing(c *propertyCase) {
	direct, report, err := ConvertJSON(c.object, Stored(), c.options)
	if err != nil || report.Incomplete != "" || len(report.Lost) > 0 {
		return // the object is not restored completely, which other tests check
	}
	stored := sortedAndEscaped(c.T, encode(withDefaults(c.decodeTyped(direct))))
	read, report, err := ConvertJSON(stored, c.to, c.options)
	if err != nil || report.Incomplete != "" || len(report.Lost) > 0 {
		return
	}
	written := sortedAndEscaped(c.T, c.convert(sortedAndEscaped(c.T, read), Stored()))
	if !bytes.Equal(written, stored) {
		c.Errorf("a write through %s changes the stored text:\n now %s\n was %s", c.to, clip(written), clip(stored))
	}
}

// value returns an object in canonical form, including preserved data in strings.
func (c *propertyCase) value(object []byte) []byte {
	c.Helper()
	var members map[string]any
	if err := json.Unmarshal(object, &members); err != nil {
		c.Fatal(err)
	}
	opened := func(holder any, key string) {
		m, _ := holder.(map[string]any)
		text, ok := m[key].(string)
		if !ok || text == "" {
			return
		}
		text = strings.TrimPrefix(text, "v1:")
		if text == "nothing" {
			return
		}
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			c.Fatal(err)
		}
		m[key] = v
	}
	opened(members["status"], "claimbridgeLeftover")
	metas := []any{members["metadata"]}
	if spec, ok := members["spec"].(map[string]any); ok {
		metas = append(metas, spec["metadata"])
	}
	for _, meta := range metas {
		m, _ := meta.(map[string]any)
		annotations, _ := m["annotations"].(map[string]any)
		for key := range annotations {
			if preserve.IsAnnotation(key) {
				opened(annotations, key)
			}
		}
	}
	out, err := json.Marshal(members)
	if err != nil {
		c.Fatal(err)
	}
	return out
}
