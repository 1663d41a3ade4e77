package yamledit_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/internal/yamledit"
)

// These texts would take hours, and end by the timeout of the test, if an algorithm were quadratic or worked once for
// each level. Values that are nested deep take a line for each level, each with more spaces than the last: a few
// hundred kilobytes become half a gigabyte. An edit must be rejected when it reaches the limit, and not when it is
// complete.
func TestHostileTextsAreFast(t *testing.T) {
	const many, most = 20000, 1 << 30 // bytes, twice what it takes to come to the limit
	levels := strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000)
	var bomb strings.Builder
	bomb.WriteString("l0: &l0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 30; i++ {
		fmt.Fprintf(&bomb, "l%d: &l%d [%s]\n", i, i,
			strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*l%d, ", i-1), 10), ", "))
	}
	var deep strings.Builder
	for i := range 2000 {
		deep.WriteString(strings.Repeat(" ", i) + "k:\n")
	}
	requests := func(nested bool) string {
		var b strings.Builder
		b.WriteString("requests:\n")
		for i := range many {
			fmt.Fprintf(&b, "- name: n%d\n", i)
			if nested {
				b.WriteString("  exactly:\n    class: c # c\n")
			} else {
				b.WriteString("  class: c # c\n")
			}
		}
		return b.String()
	}
	for name, e := range map[string]struct {
		text, desired string // the latter as YAML
		rejected      bool
	}{
		"many equal pieces that move":      {text: requests(false), desired: requests(true)},
		"many equal pieces that move back": {text: requests(true), desired: requests(false)},
		"many equal items, reversed": {
			text:    "a: [" + strings.Repeat("1, 2, ", many) + "]\n",
			desired: "a: [" + strings.Repeat("2, 1, ", many) + "]\n",
		},
		"many removed and many new items": {
			text:    "a:\n" + strings.Repeat("- {a: 1, b: 2} # c\n", many),
			desired: "a:\n" + strings.Repeat("- {b: 2}\n- c: 1\n", many),
		},
		"many on one line": {
			text: "a: {" + keys(many) + "}\n", desired: "b: {" + keys(many/2) + "}\n",
		},
		"many blank lines and comments, nested deep": {
			text:    deep.String() + strings.Repeat("\n# c\n"+strings.Repeat(" ", 100)+"# d\n", many) + "a: 1\n",
			desired: deep.String() + "a: 2\n",
		},
		"a change nested too deep": {
			text:     deep.String(),
			desired:  deep.String() + strings.Repeat(" ", 2000) + "a: 1\n",
			rejected: true,
		},
		"brackets nested deep, and moved": {
			text:    "a: " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "\n",
			desired: "b: {a: " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "}\n",
		},
		"aliases that expand to too much": {text: bomb.String() + "a: 1\n", desired: "a: 2\n", rejected: true},
		"many lines": {
			text:     strings.Repeat("\n", 2<<20) + "a: 1\n",
			desired:  "a: 2\n",
			rejected: true,
		},
		"a result that is too large": {
			text:     "a: 1\n",
			desired:  "a: [" + strings.Repeat(levels+", ", 20) + "]",
			rejected: true,
		},
		"many values": {
			text:     "a: [" + strings.Repeat("1,", 2<<20) + "]\n",
			desired:  "a: 2\n",
			rejected: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			desired, err := yaml.YAMLToJSON([]byte(e.desired))
			if err != nil || !json.Valid(desired) {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			begun := time.Now()
			result, err := yamledit.Edit([]byte(e.text), desired)
			if (err != nil) != e.rejected {
				t.Errorf("%d bytes, error %v", len(result.Text), err)
			}
			runtime.ReadMemStats(&after)
			took := after.TotalAlloc - before.TotalAlloc
			t.Logf("%v, %d MiB", time.Since(begun), took>>20)
			if took > most {
				t.Error("the edit needs too much memory")
			}
		})
	}
}

func keys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "k%d: v%d, ", i, i)
	}
	return b.String()
}
