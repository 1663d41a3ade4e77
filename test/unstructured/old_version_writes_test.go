package unstructured

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api"
	apiv1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/conversion/preserve"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/test/objects"
)

// TestWritesThroughOldVersionsLoseNothing checks the guarantee about writes through an old version: the conversion,
// which has only the written copy, stores the same as a merge that has the stored object. It uses every version v,
// stored objects S, valid and forged, and one to five edits e of what v represents of S, in a write of the main
// resource or of the status:
//
//	restore(v, copy(v, S) with e) = expectedWrite(v, S, projection(v, S) with e)
//
// Without edits, that is S byte for byte, except for the order of members, and for empty values in versions that
// preserve nothing. CLAIMBRIDGE_SEED repeats a run, CLAIMBRIDGE_OBJECTS sets the number of objects, and CLAIMBRIDGE_FOR
// the duration.
func TestWritesThroughOldVersionsLoseNothing(t *testing.T) {
	tried, all, edits := 0, 0, 0
	for seed := range objects.Rounds(t) {
		n, of, edited := checkWrites(t, seed)
		tried, all, edits = tried+n, all+of, edits+edited
	}
	t.Logf("%d pairs of an object and edits, of %d generated ones, with %d edits", tried, all, edits)
	if tried*10 < all*9 {
		t.Error("too many edits have no valid result")
	}
}

// checkWrites checks objects of a seed in every version.
func checkWrites(t *testing.T, seed uint64) (tried, all, edits int) {
	for _, version := range otherVersions {
		for _, kind := range objects.Kinds {
			source := objects.New(seed)
			for i := range max(20, objects.Count(t, "CLAIMBRIDGE_OBJECTS", 2500)/5) {
				p := &writeCase{
					propertyCase: &propertyCase{TB: t, Source: source, client: clientOf(version, kind)},
				}
				p.live = encode(p.propertyCase, p.newV1Object())
				if i%4 == 3 {
					p.live = p.withForgedEntries(p.live)
				}
				p.live = p.withMetadata(p.live)
				for _, status := range []bool{false, true} {
					if kind != api.KindClaim && status {
						continue
					}
					if all++; p.check(status) {
						tried++
						edits += p.edits
					}
				}
				if t.Failed() {
					t.Fatalf("%s of %s, object %d:\n%s", kind, version, i, clip(p.live))
				}
			}
		}
	}
	return tried, all, edits
}

// writeCase is one stored object that is written through one version.
type writeCase struct {
	*propertyCase
	edits int // of the last write
}

// newV1Object returns an object of v1 without a request for deallocation, which is a field of claimbridge's CRDs that
// this package does not know.
func (p *writeCase) newV1Object() map[string]any {
	o := p.tree(stored(p, p.Source, p.kind))
	if status, ok := o["status"].(map[string]any); ok {
		delete(status, "claimbridgeDeallocationRequested")
	}
	return o
}

// withForgedEntries adds valid and invalid entries of claimbridge to the configuration of a stored object.
func (p *writeCase) withForgedEntries(stored []byte) []byte {
	o := p.tree(stored)
	entry := func() map[string]any {
		parameters := []string{
			`{"apiVersion":"claimbridge.dev/v1","controller":"evil.example.com","kind":"ControlPlaneClaim"}`,
			`{"apiVersion":"claimbridge.dev/v1","controller":"evil.example.com","digest":"00",` +
				`"kind":"ControlPlaneAllocation"}`,
			`{"apiVersion":"claimbridge.dev/v1","allocationMode":"Immediate","kind":"ClassicClaimSpec"}`,
			`{"apiVersion":"claimbridge.dev/v1","digest":"00","kind":"ClassicAllocation","shareable":false}`,
			`{"apiVersion":"claimbridge.dev/v1","data":"x","device":"handle-0","driver":"evil.example.com",` +
				`"kind":"ResourceHandle"}`,
			`{"apiVersion":"claimbridge.dev/v1","kind":"Part","of":"","part":0,"parts":2,"text":"e30="}`,
		}
		return map[string]any{
			"opaque": map[string]any{
				"driver":     "claimbridge.dev",
				"parameters": json.RawMessage(parameters[p.IntN(len(parameters))]),
			},
		}
	}
	put := func(holder any, more map[string]any) {
		devices, ok := holder.(map[string]any)
		if !ok {
			return
		}
		config, _ := devices["config"].([]any)
		for range 1 + p.IntN(3) {
			e := entry()
			maps.Copy(e, more)
			config = slices.Insert(config, p.IntN(len(config)+1), any(e))
		}
		devices["config"] = config
	}
	spec, _ := o["spec"].(map[string]any)
	if inner, ok := spec["spec"].(map[string]any); ok {
		spec = inner
	}
	put(spec["devices"], nil)
	if status, ok := o["status"].(map[string]any); ok {
		if allocation, ok := status["allocation"].(map[string]any); ok {
			put(allocation["devices"], map[string]any{"source": "FromClass"})
		}
	}
	return encode(p.propertyCase, o)
}

// withMetadata returns a stored object that may be in deletion, with or without finalizers, and whose annotations may
// have no room for preserved data.
func (p *writeCase) withMetadata(stored []byte) []byte {
	isDeleting := p.IntN(4) == 0
	isCrowded := isProjection(p.version) && p.IntN(40) == 0
	if !isDeleting && !isCrowded {
		return stored
	}
	o := p.tree(stored)
	metadata := o["metadata"].(map[string]any)
	if isDeleting {
		metadata["deletionTimestamp"] = "2026-01-01T00:00:00Z"
		metadata["finalizers"] = [][]string{{"example.com/one", "example.com/two"}, {"example.com/one"}, {}}[p.IntN(3)]
	}
	if isCrowded {
		annotations := map[string]any{"junk": strings.Repeat("x", 262_144-len("junk")-p.IntN(2000))}
		metadata["annotations"] = annotations
		if p.kind == api.KindTemplate {
			o["spec"].(map[string]any)["metadata"] = map[string]any{"annotations": annotations}
		}
	}
	return encode(p.propertyCase, o)
}

// check checks a write of the main resource or of the status. It reports whether the edits have a valid result.
func (p *writeCase) check(status bool) bool {
	shown := p.tree(p.do("read", p.read, p.live))
	text, _, err := conversion.ConvertJSON(p.live, p.version, conversion.Options{})
	if err != nil {
		p.Fatal(err)
	}
	copied := p.tree(text)
	edits := p.IntN(6)
	p.edits = edits
	part := "spec"
	if status {
		part = "status"
	}
	visible := p.tree(encode(p.propertyCase, shown)) // a copy
	for range edits {                                // the same edits of both
		if said := p.editable(shown, part); said != nil {
			path, value := p.pick(said, 0)
			if status && p.IntN(3) == 0 {
				path, value = p.editOfList(said)
			}
			apply(said, path, value)
			apply(p.editable(copied, part), path, value)
		}
	}
	metadata := copied["metadata"].(map[string]any)
	labels, _ := metadata["labels"].(map[string]any)
	isIncomplete := labels[preserve.IncompleteLabel] != nil
	labelsAreReplaced := false
	if !status {
		switch p.IntN(3) {
		case 0:
			labelsAreReplaced = true
			metadata["labels"] = map[string]any{"edited": "yes"}
		case 1:
			metadata["labels"] = merged(labels, map[string]any{"edited": "yes"})
		}
		if finalizers, _ := metadata["finalizers"].([]any); len(finalizers) > 0 && p.IntN(2) == 0 {
			metadata["finalizers"] = finalizers[1:]
		}
	}
	finalizers, _ := metadata["finalizers"].([]any)
	isDeletedByWrite := metadata["deletionTimestamp"] != nil && len(finalizers) == 0
	dropped := status && p.IntN(3) == 0 // by a typed client
	if s, ok := copied["status"].(map[string]any); ok && dropped {
		delete(s, "claimbridgeLeftover")
	}
	want, err := p.expectedWrite(part, encode(p.propertyCase, shown))
	if err != nil {
		return false // v1 has no field for it
	}
	got, _, err := conversion.ConvertJSON(encode(p.propertyCase, copied), conversion.Stored(), conversion.Options{})
	var e *conversion.Error
	if errors.As(err, &e) && e.Field != "" && !errors.Is(err, conversion.ErrIncomplete) {
		return false // an edit added a time or a quantity
	}
	if errors.Is(err, conversion.ErrIncomplete) && isIncomplete && (labelsAreReplaced || dropped) && !isDeletedByWrite {
		return true // nothing is stored
	}
	if err != nil {
		p.Errorf("%d edits of the %s are rejected: %v", edits, part, err)
		return true
	}
	if isIncomplete && isDeletedByWrite {
		return true // nothing is stored
	}
	for _, name := range []string{"spec", "status"} {
		got, want := p.part(got, name), p.part(want, name)
		if !bytes.Equal(got, want) {
			p.Errorf("%d edits of the %s through %s, dropped: %v; %s\n got %s\nwant %s\ncopy %s", edits, part,
				p.version, dropped, name, clip(got), clip(want), clip(encode(p.propertyCase, copied)))
		}
	}
	if status {
		p.invisibleItemsStay(visible, shown, p.tree(got))
	}
	if edits == 0 {
		for _, name := range []string{"spec", "status"} {
			was, is := memberOf(p.live, name), memberOf(got, name)
			if p.kind == api.KindTemplate { // whose metadata loses the preserved data, and is removed if it is empty
				was, is = memberOf(was, "spec"), memberOf(is, "spec")
			}
			// Nothing is preserved in a projection.
			if was, is = objectjson.CanonicalWithDigits(was), objectjson.CanonicalWithDigits(is); !isProjection(p.version) {
				was, is = p.part(p.live, name), p.part(got, name)
			}
			if !bytes.Equal(was, is) {
				p.Errorf("nothing was edited, and the %s is\n%s\nnot\n%s", name, clip(is), clip(was))
			}
		}
	}
	return true
}

// editable returns a part of an object without preserved data. Of a template, it has no metadata, which contains the
// preserved spec.
func (p *writeCase) editable(o map[string]any, part string) map[string]any {
	value, _ := o[part].(map[string]any)
	if p.kind == api.KindTemplate {
		value, _ = value["spec"].(map[string]any)
	}
	return value
}

// part returns a part of an object in canonical form, with all digits and without empty values. Of a status, it has no
// the status of devices that are no longer allocated, which an API server drops.
func (p *writeCase) part(object []byte, name string) []byte {
	o := p.tree(object)
	if status, ok := o["status"].(map[string]any); ok && name == "status" {
		status = p.reported(status)
		if len(status) == 0 {
			return nil
		}
	}
	if o[name] == nil {
		return nil
	}
	if api.IsLossless(p.version) { // conversion sets defaults of new fields, and Convert leaves that to the API server
		spec, _ := o["spec"].(map[string]any)
		if p.kind == api.KindTemplate {
			spec, _ = spec["spec"].(map[string]any)
		}
		withDefaults(p.propertyCase, spec)
	}
	text, err := json.Marshal(o[name])
	if err != nil {
		p.Fatal(err)
	}
	if text = conversion.WithoutEmpty(objectjson.CanonicalWithDigits(text)); string(text) == "{}" {
		return nil
	}
	return text
}

// withDefaults sets the defaults of v1 in a spec.
func withDefaults(c *propertyCase, spec map[string]any) {
	var typed apiv1.ResourceClaimSpec
	if _, err := objectjson.Decode(encode(c, spec), &typed); err != nil {
		c.Fatal(err)
	}
	apiv1.SetSpecDefaults(&typed)
	clear(spec)
	maps.Copy(spec, c.tree(objectjson.Marshal(&typed)))
}

// reported drops reports of devices that were allocated before the write and are no longer.
func (p *writeCase) reported(status map[string]any) map[string]any {
	was, _ := p.tree(p.live)["status"].(map[string]any)
	devices, _ := status["devices"].([]any)
	before, after := allocated(was), allocated(status)
	kept := slices.DeleteFunc(devices, func(d any) bool { return before[deviceOf(d)] && !after[deviceOf(d)] })
	if status["devices"] = kept; len(kept) == 0 {
		delete(status, "devices")
	}
	return status
}

func allocated(status map[string]any) map[string]bool {
	devices := map[string]bool{}
	allocation, _ := status["allocation"].(map[string]any)
	of, _ := allocation["devices"].(map[string]any)
	results, _ := of["results"].([]any)
	for _, r := range results {
		devices[deviceOf(r)] = true
	}
	return devices
}

func deviceOf(of any) string {
	d, _ := of.(map[string]any)
	return fmt.Sprint(d["driver"], "/", d["pool"], "/", d["device"], "/", d["shareID"])
}

func merged(a, b map[string]any) map[string]any {
	both := maps.Clone(b)
	maps.Copy(both, a)
	return both
}

// keysOfLists of a status are the fields that identify their items.
var keysOfLists = map[string][]string{
	"devices":     {"driver", "pool", "device", "shareID"},
	"reservedFor": {"uid"},
}

// editOfList returns an edit of a list whose items have keys: it is emptied, in each spelling of
// that, or gets an item, as its first one or after others.
func (p *writeCase) editOfList(status map[string]any) (path []any, edited any) {
	name := "reservedFor"
	if p.IntN(3) > 0 && p.version != "v1alpha1" && p.version != "v1alpha2" { // which have no reports
		name = "devices"
	}
	list, _ := status[name].([]any)
	switch p.IntN(5) {
	case 0:
		return []any{name}, nil
	case 1:
		return []any{name}, []any{}
	case 2:
		return []any{name}, json.RawMessage("null")
	}
	if p.IntN(2) == 0 {
		list = nil
	}
	added := map[string]any{"resource": "pods", "name": "added", "uid": fmt.Sprint("added-", p.IntN(1000))}
	if name == "devices" {
		added = map[string]any{
			"driver": "d",
			"pool":   "p",
			"device": fmt.Sprint("added-", p.IntN(1000)),
			"data":   map[string]any{"a": 1},
		}
	}
	hasKey := func(item any) bool { return keyOf(item, name) == keyOf(added, name) }
	if slices.ContainsFunc(list, hasKey) {
		return nil, nil
	}
	return []any{name}, append(slices.Clone(list), added)
}

// keyOf an item of a list of a status.
func keyOf(item any, list string) string {
	fields, _ := item.(map[string]any)
	key := ""
	for _, name := range keysOfLists[list] {
		key += fmt.Sprint(fields[name], "/")
	}
	return key
}

// invisibleItemsStay checks that hidden items stay when a client changes visible ones, unless the write deallocates the
// device of a report. It does not depend on the merge.
func (p *writeCase) invisibleItemsStay(before, after, got map[string]any) {
	status := func(o map[string]any) map[string]any {
		s, _ := o["status"].(map[string]any)
		return s
	}
	live, home := status(p.tree(p.live)), status(got)
	was, is := allocated(live), allocated(home)
	for list := range keysOfLists {
		items := func(status map[string]any) map[string]any {
			byKey := map[string]any{}
			all, _ := status[list].([]any)
			for _, item := range all {
				byKey[keyOf(item, list)] = item
			}
			return byKey
		}
		visible, written, stored := items(status(before)), items(status(after)), items(home)
		for key, item := range items(live) {
			_, isVisible := visible[key]
			_, isWritten := written[key]
			isDeallocated := list == "devices" && was[deviceOf(item)] && !is[deviceOf(item)]
			if isVisible || isWritten || isDeallocated || p.sameText(item, stored[key]) {
				continue
			}
			p.Errorf("%s of %s, which %s does not show, is stored as %v, not as %v", list, key, p.version, stored[key],
				item)
		}
	}
}

// sameText reports whether two values are the same to an API server.
func (p *writeCase) sameText(a, b any) bool {
	return bytes.Equal(conversion.WithoutEmpty(objectjson.CanonicalWithDigits(encode(p.propertyCase, a))),
		conversion.WithoutEmpty(objectjson.CanonicalWithDigits(encode(p.propertyCase, b))))
}

// pick returns a random place in a value, and its new content, or nil to remove it.
func (p *writeCase) pick(value map[string]any, depth int) (path []any, edited any) {
	names := slices.Sorted(maps.Keys(value))
	names = slices.DeleteFunc(names, func(n string) bool {
		return n == "deallocationRequested" || n == "parameters" || n == "data"
	})
	if len(names) == 0 {
		return nil, nil
	}
	name := names[p.IntN(len(names))]
	switch v := value[name].(type) {
	case map[string]any:
		if depth < 8 && p.IntN(6) > 0 {
			if below, edited := p.pick(v, depth+1); below != nil {
				return append([]any{name}, below...), edited
			}
		}
		return []any{name}, nil
	case []any:
		if len(v) == 0 || p.IntN(5) == 0 {
			return []any{name}, nil
		}
		at := p.IntN(len(v))
		if item, ok := v[at].(map[string]any); ok {
			if below, edited := p.pick(item, depth+1); below != nil {
				return append([]any{name, at}, below...), edited
			}
		}
		return nil, nil
	case string:
		return []any{name}, "edited-" + fmt.Sprint(p.IntN(3))
	case bool:
		return []any{name}, !v
	}
	return nil, nil
}

// apply applies an edit.
func apply(value any, path []any, edited any) {
	for i, step := range path {
		last := i == len(path)-1
		switch at := step.(type) {
		case string:
			o, ok := value.(map[string]any)
			if !ok {
				return
			}
			switch {
			case last && edited == nil:
				delete(o, at)
			case last:
				o[at] = edited
			}
			value = o[at]
		case int:
			list, ok := value.([]any)
			if !ok || at >= len(list) {
				return
			}
			value = list[at]
		}
	}
}
