package validation

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/test/objects"
)

// brokenRuns is how many objects of each version are broken; few enough for a race detector.
const brokenRuns = 1000

// value that some field or other does not take.
func value(r *rand.Rand) any {
	values := []any{
		"", "a", "A.b", "a_b", "a/b", "/", "a/", "a/b/c", "1a", "ü", "\u2028", "In", "Exists", "Gt", "metadata.name", "ExactCount", "All",
		"Immediate", "FromClass", "gpu.example.com/numa", strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a", 254),
		strings.Repeat("é", 8192), strings.Repeat("é", 8193), "2024-01-01T00:00:00Z",
		nil, true, false, 0, 1, -1, []any{}, map[string]any{}, []any{nil}, []any{map[string]any{}},
	}
	return values[r.IntN(len(values))]
}

// fields that an object may have where it had none.
var fields = []string{"name", "data", "structuredData", "controller", "nodeName", "resourceHandle", "count", "opaque", "uid"}

// spot is one value somewhere in an object.
type spot struct {
	value any
	set   func(any)
	clear func()
}

// places of an object, in an order that does not change, but for its version and kind.
func places(value any) (found []spot) {
	switch v := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if key == "apiVersion" || key == "kind" {
				continue
			}
			found = append(found, spot{v[key], func(n any) { v[key] = n }, func() { delete(v, key) }})
			found = append(found, places(v[key])...)
		}
	case []any:
		for i := range v {
			found = append(found, spot{v[i], func(n any) { v[i] = n }, func() { v[i] = nil }})
			found = append(found, places(v[i])...)
		}
	}
	return found
}

// breakIn one place: another value, none, an item again, a list just within or beyond a limit, or a part of the status
// that does not fit the rest.
func breakIn(r *rand.Rand, o jsonObject) {
	all := places(map[string]any(o))
	if len(all) == 0 {
		return
	}
	at := all[r.IntN(len(all))]
	switch list, _ := at.value.([]any); r.IntN(7) {
	case 0, 1:
		at.set(value(r))
	case 2:
		at.clear()
	case 3:
		if len(list) > 0 {
			at.set(append(slices.Clone(list), list[r.IntN(len(list))]))
		}
	case 4:
		lists := slices.DeleteFunc(slices.Clone(all), func(p spot) bool { l, _ := p.value.([]any); return len(l) == 0 })
		if len(lists) > 0 {
			at = lists[r.IntN(len(lists))]
			list, _ = at.value.([]any)
			at.set(lengthen(list, []int{32, 33, 65}[r.IntN(3)]))
		}
	case 5:
		parents := slices.DeleteFunc(slices.Clone(all), func(p spot) bool { o, _ := p.value.(map[string]any); return o == nil })
		if len(parents) > 0 {
			parent, _ := parents[r.IntN(len(parents))].value.(map[string]any)
			parent[fields[r.IntN(len(fields))]] = value(r)
		}
	case 6:
		if o["kind"] != claimKind {
			return
		}
		switch status := o.at("status"); r.IntN(5) {
		case 0:
			status["deallocationRequested"] = r.IntN(2) == 0
		case 1:
			status["reservedFor"] = []any{map[string]any{"resource": "pods", "name": "a", "uid": fmt.Sprint(r.IntN(3))}}
		case 2:
			delete(status, "allocation")
		case 3:
			o.at("metadata")["deletionTimestamp"] = "2024-01-01T00:00:00Z"
		case 4:
			status.at("allocation")[[]string{"nodeSelector", "availableOnNodes"}[r.IntN(2)]] = map[string]any{"nodeSelectorTerms": []any{
				map[string]any{"matchFields": []any{map[string]any{"key": "name", "operator": "In", "values": []any{"a"}}}},
			}}
		}
	}
}

func lengthen(list []any, length int) []any {
	long := slices.Clone(list)
	for i := 0; len(long) < length; i++ {
		item := list[0]
		if o, ok := item.(map[string]any); ok {
			o = maps.Clone(o)
			for _, key := range []string{"uid", "name"} {
				if _, ok := o[key].(string); ok {
					o[key] = fmt.Sprintf("n%d", i)
				}
			}
			item = o
		}
		long = append(long, item)
	}
	return long
}

func TestBrokenObjectsAreRefusedByName(t *testing.T) {
	names := known()
	for _, version := range conversion.Versions() {
		fired := map[string]int{}
		src := objects.New(seed + 2)
		for range brokenRuns {
			kind := objects.Kinds[src.IntN(len(objects.Kinds))]
			made := encode(t, src.Object(version, kind))
			change := func(data []byte, places int) []byte {
				return edit(t, data, func(o jsonObject) {
					for range places {
						breakIn(src.Rand, o)
					}
				})
			}
			old := change(made, src.IntN(2))
			for _, r := range []Request{
				{Operation: Create, Object: change(made, 1+src.IntN(3))},
				{Operation: Update, OldObject: old, Object: change(old, src.IntN(3))},
				{Operation: UpdateStatus, OldObject: old, Object: change(made, 1+src.IntN(3))},
			} {
				verdict, err := Judge(t.Context(), r)
				if err != nil {
					continue // a field of the wrong type, or the status of a template
				}
				for _, e := range verdict.Errors {
					fired[e.Rule]++
					if names[e.Rule] == nil || e.Field == "" || e.Type == "" {
						t.Fatalf("seed %d: rule %q refuses %q with type %q", seed+2, e.Rule, e.Field, e.Type)
					}
				}
			}
		}
		if len(fired) < len(Rules(version, ""))/2 {
			t.Errorf("seed %d: only %d rules fired in %s", seed+2, len(fired), version)
		}
		if summary, err := json.Marshal(fired); err == nil {
			t.Logf("seed %d: %s: %s", seed+2, version, summary)
		}
	}
}
