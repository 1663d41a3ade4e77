package oracle

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/validation"
)

// mutator changes single values of objects of one version and kind, so that most of them become invalid.
type mutator struct {
	*rand.Rand
	fields fieldNames
}

func oneOf[T any](m mutator, values ...T) T { return values[m.IntN(len(values))] }

// breakValue changes one value of the spec or the status of an object, or of either with "".
func (m mutator) breakValue(o tree, part string) {
	all := slices.DeleteFunc(locations(o), func(p location) bool { return !strings.HasPrefix(p.path, part) })
	if len(all) == 0 {
		o[part] = tree{}
		return
	}
	at := m.choose(all)
	switch m.IntN(10) {
	case 0, 1, 2:
		at.set(m.valueFor(at.path, at.value))
	case 3:
		at.remove()
	case 4, 5:
		m.addField(all)
	case 6, 7:
		m.changeList(all)
	case 8:
		at.set(oneOf[any](m, nil, "", []any{}, tree{}, []any{nil}))
	case 9:
		m.breakKey(at)
	}
}

// choose returns a random location, a random location of a random field, so that rare fields are also chosen, or one of
// a field that few objects have.
func (m mutator) choose(all []location) location {
	choice := m.IntN(4)
	if choice == 0 {
		rare := slices.DeleteFunc(slices.Clone(all), func(p location) bool { return !rareFields.MatchString(p.path) })
		if len(rare) > 0 {
			all = rare
		}
	}
	if choice < 2 {
		paths := map[string]bool{}
		for _, p := range all {
			paths[p.path] = true
		}
		path := oneOf(m, slices.Sorted(maps.Keys(paths))...)
		all = slices.DeleteFunc(slices.Clone(all), func(p location) bool { return p.path != path })
	}
	return all[m.IntN(len(all))]
}

// rareFields matches fields that have separate rules, and that few objects have.
var rareFields = regexp.MustCompile(`tolerations|derivedAttributes|[a-z]Conditions|shareID|firstAvailable|` +
	`status\.devices\b`)

// addField sets one of the fields of the API in one of the JSON objects, which may already have it.
func (m mutator) addField(all []location) {
	parents := slices.DeleteFunc(slices.Clone(all), func(p location) bool {
		o, ok := p.value.(tree)
		return !ok || o == nil || m.fields[p.path] == nil
	})
	if len(parents) == 0 {
		return
	}
	parent := m.choose(parents)
	name := oneOf(m, m.fields[parent.path]...)
	o := parent.value.(tree)
	o[name] = m.valueFor(parent.path+"."+name, o[name])
}

// changeList adds, repeats or shuffles items, or changes the length of a list to one near a limit of the API.
func (m mutator) changeList(all []location) {
	lists := slices.DeleteFunc(slices.Clone(all), func(p location) bool { l, _ := p.value.([]any); return len(l) == 0 })
	if len(lists) == 0 {
		return
	}
	at := m.choose(lists)
	list := at.value.([]any)
	item := list[m.IntN(len(list))]
	switch m.IntN(6) {
	case 0:
		at.set(append(slices.Clone(list), item))
	case 1, 4, 5:
		long := slices.Clone(list)
		length := oneOf(m, 31, 32, 33)
		if limit := maxItems[at.path[strings.LastIndex(at.path, ".")+1:]]; limit > 0 && m.IntN(4) > 0 {
			length = limit - 1 + m.IntN(3)
		}
		if at.path == "status.allocation.devices.config" {
			length = oneOf(m, 63, 64, 65)
		}
		for len(long) < length {
			long = append(long, m.similarItem(item, len(long)))
		}
		at.set(long)
	case 2:
		added := m.similarItem(item, 99)
		at.set(slices.Insert(slices.Clone(list), m.IntN(len(list)+1), added))
	case 3:
		shuffled := slices.Clone(list)
		m.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		at.set(shuffled)
	}
}

// maxItems are the limits of lists that are not 32.
var maxItems = map[string]int{
	"reservedFor":              256,
	"firstAvailable":           8,
	"bindingConditions":        4,
	"bindingFailureConditions": 4,
	"conditions":               8,
	"ips":                      16,
}

// similarItem returns a copy of an item, in most cases with another key.
func (m mutator) similarItem(item any, i int) any {
	o, ok := item.(tree)
	if !ok {
		return item
	}
	o = maps.Clone(o)
	for _, key := range []string{"uid", "name", "type"} {
		if _, ok := o[key].(string); ok && m.IntN(40) > 0 {
			o[key] = fmt.Sprintf("n%d", i)
		}
	}
	return o
}

// breakKey writes the name of a member in another case, writes it twice, or writes an unknown name.
func (m mutator) breakKey(at location) {
	if at.parent == nil || at.path == "spec" || at.path == "status" {
		return
	}
	switch m.IntN(4) {
	case 0:
		delete(at.parent, at.key)
		first := min(1, len(at.key)) // a name can be empty
		at.parent[strings.ToUpper(at.key[:first])+at.key[first:]] = at.value
	case 1:
		at.parent[strings.ToUpper(at.key)] = m.valueFor(at.path, at.value)
	case 2:
		at.parent[at.key+duplicate] = m.valueFor(at.path, at.value)
	case 3:
		at.parent[at.key+"s"] = at.value
	}
}

// changeStatus changes fields that the rules of a status compare with the old object or with each other.
func (m mutator) changeStatus(w *writeTree) {
	status, ok := w.object["status"].(tree)
	if !ok {
		status = tree{}
		w.object["status"] = status
	}
	oldStatus, _ := w.old["status"].(tree)
	switch m.IntN(9) {
	case 0:
		delete(status, "allocation")
	case 1:
		status["allocation"] = oneOf[any](m, tree{}, oldStatus["allocation"])
	case 2:
		status["deallocationRequested"] = m.IntN(2) == 0
	case 3:
		if oldStatus != nil {
			oldStatus["deallocationRequested"] = m.IntN(2) == 0
		}
	case 4:
		delete(status, "reservedFor")
	case 5:
		var consumers []any
		if before, ok := status["reservedFor"].([]any); ok && m.IntN(2) == 0 {
			consumers = slices.Clone(before)
		}
		for range 1 + m.IntN(2) {
			consumers = append(consumers, tree{
				"resource": "pods", "name": oneOf(m, "a", "b"), "uid": fmt.Sprint(m.IntN(5)),
			})
		}
		status["reservedFor"] = consumers
	case 6:
		if consumers, ok := status["reservedFor"].([]any); ok && len(consumers) > 0 {
			if c, ok := consumers[m.IntN(len(consumers))].(tree); ok {
				c[oneOf(m, "name", "resource", "apiGroup", "uid")] = "renamed"
			}
		}
	case 7:
		w.old["metadata"].(tree)["deletionTimestamp"] = "2024-01-01T00:00:00Z"
	case 8:
		status["driverName"] = oneOf(m, "", "other.example.com", "GPU.example.com")
	}
	if w.operation == validation.UpdateStatus && m.IntN(3) == 0 && oldStatus != nil {
		oldStatus["allocation"] = status["allocation"] // so that only other fields change
	}
}

// addDerivedAttributes adds derived attributes to the first request of the old and the new template: 1.37 validates
// them only if the old object has some, and the spec of a claim is immutable.
func (m mutator) addDerivedAttributes(w *writeTree) {
	names := oneOf(m, 99, 99, 99, 1)
	attributes := func(n int, expression string) (list []any) {
		for i := range n {
			list = append(list, tree{
				"name":       fmt.Sprintf("gpu.example.com/derived-%d", i%names),
				"expression": expression,
			})
		}
		return list
	}
	for o, derived := range map[*tree][]any{
		&w.old: attributes(1, "true"),
		&w.object: attributes(oneOf(m, 1, 1, 2, 31, 32, 33, 34),
			oneOf(m, "true", "device.driver", "(", "1 +", "nothing", "device", "[1]", oneOf(m, expressions...))),
	} {
		if request := firstDeviceRequest(*o); request != nil {
			request["derivedAttributes"] = derived
		}
	}
}

// firstDeviceRequest returns the fields of the first request of a template, or of its first alternative. It returns nil
// if there is none.
func firstDeviceRequest(template tree) tree {
	at := template
	for _, name := range []string{"spec", "spec", "devices"} {
		at, _ = at[name].(tree)
	}
	first := func(list any) tree {
		items, _ := list.([]any)
		if len(items) == 0 {
			return nil
		}
		item, _ := items[0].(tree)
		return item
	}
	request := first(at["requests"])
	if alternative := first(request["firstAvailable"]); alternative != nil {
		return alternative
	}
	if exactly, _ := request["exactly"].(tree); exactly != nil {
		return exactly
	}
	if request["deviceClassName"] != nil { // v1beta1
		return request
	}
	return nil
}

// number returns an integer or another number, including one that exceeds an int64.
func (m mutator) number() json.Number {
	return oneOf[json.Number](m, "0", "1", "2", "-1", "1.0", "1.5", "1e3", "9223372036854775807", "9223372036854775808")
}
