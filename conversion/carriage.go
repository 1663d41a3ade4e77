package conversion

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/claimbridge/claimbridge/internal/jsonscan"
)

// domain of everything that is ours.
const domain = "claimbridge.dev"

// leftoverField is the path of the status part.
const leftoverField = "status.claimbridgeLeftover"

// maxField is the greatest length in bytes of status.claimbridgeLeftover that is read: etcd takes requests of at
// most 1.5 MiB, so no longer one was ever stored.
const maxField = 3 << 19

// partKind is what a leftover completes.
type partKind string

const (
	specPart   partKind = "spec"
	statusPart partKind = "status"
)

// part of a leftover as it travels.
type part struct {
	// Digest of the visible part that this one completes.
	Digest string `json:"digest"`
	// UID of the claim; only in the annotation's copy of a status part, so that a copied annotation says nothing
	// about the status of another claim.
	UID string `json:"uid,omitempty"`
	// Value is the leftover of the step, as JSON.
	Value jsontext.Value `json:"value"`
}

// placedPart knows where it was found.
type placedPart struct {
	part
	place string
}

// annotation is the value of an annotation of ours.
type annotation struct {
	Spec   *part `json:"spec,omitempty"`
	Status *part `json:"status,omitempty"`
}

// stepKey is where the leftovers of a step travel: the member of the field, and the annotation.
type stepKey struct{ step, annotation string }

func newStepKey(step string) stepKey { return stepKey{step, domain + "/" + step} }

type incoming struct {
	spec, status *placedPart
	settled      bool
}

type outgoing struct{ spec, status *part }

// carriage carries leftovers beside an object: the spec part in an annotation of the client's copy, the status part
// in status.claimbridgeLeftover and, as a second, in the annotation.
//
// A main write takes the client's annotations together with the stored status, so it can neither strip nor forge the
// field; a status write takes the stored annotations, so a client that drops the field falls back on a copy that it
// could not touch.
type carriage struct {
	workspace *workspace
	// meta holds the annotations: an object's own, or spec.metadata of a template, since controllers copy that into
	// claims. path is where it stands.
	meta *metadata
	path string
	uid  string
	// deleting is set when the object has a deletionTimestamp: then nothing that it lacks is needed any more.
	deleting bool

	// field is status.claimbridgeLeftover by step; nil when the object has none. fieldBroken is set when it was
	// there but could not be read: then nothing is known, and the annotation is not asked either.
	field       map[string]part
	fieldBroken bool

	missing incomplete
	report  Report
	ignored []ignored
}

// ignored is a leftover that could not be used.
type ignored struct {
	kind       partKind
	field, why string
	stale      bool // well-formed, but completing something else
}

// isKey tells whether an annotation is one of ours, of whatever step.
func isKey(name string) bool {
	return strings.HasPrefix(name, domain+"/") && strings.Contains(name, "-not-in-")
}

// sweep removes what is ours and was not consumed, at the end of the chain.
func (c *carriage) sweep() {
	c.meta.annotations.deleteFunc(func(key string) bool {
		if isKey(key) {
			c.ignore(ignored{kind: specPart, field: c.path + "annotations[" + key + "]", why: "no step of the conversion consumes it; remove it"})
		}
		return isKey(key)
	})
}

func (c *carriage) ignore(i ignored) {
	c.ignored = append(c.ignored, i)
	c.report.Ignored = append(c.report.Ignored, i.field+": "+i.why)
}

// openField reads the field and empties it, so that no digest covers it.
func (c *carriage) openField(field *string) {
	if field == nil || *field == "" {
		return
	}
	text := *field
	*field = ""
	c.field = map[string]part{}
	if len(text) <= maxField && c.readField([]byte(text)) {
		return
	}
	c.field = map[string]part{}
	if len(text) > maxField || json.Unmarshal([]byte(text), &c.field, strictly) != nil {
		c.field, c.fieldBroken = map[string]part{}, true
		c.ignore(ignored{kind: statusPart, field: leftoverField, why: "is malformed"})
	}
}

// closeField writes the field, when there is one to write. An allocation from storage always gets it, even when
// nothing is left over: its presence is what makes the annotation's copy powerless.
func (c *carriage) closeField(field *string) {
	if field != nil && c.field != nil {
		w := writer{out: make([]byte, 0, 256)}
		w.begin('{')
		for _, key := range slices.Sorted(maps.Keys(c.field)) {
			p := c.field[key]
			w.name(string(quote(key)) + ":")
			w.writePart(&p)
			w.comma()
		}
		w.end('}')
		*field = view(w.out)
	}
}

// read reads what is ours strictly.
func (c *carriage) read(text []byte, into any) bool {
	if c.workspace.read(text, into) {
		return true
	}
	reflect.ValueOf(into).Elem().SetZero()
	return json.Unmarshal(text, into, strictly) == nil
}

// readField reads the parts of the field, if they are written as this package writes them.
func (c *carriage) readField(text []byte) bool {
	r := reader{Scanner: jsonscan.New(text), data: text, source: view(text), room: &c.workspace.room}
	for more := r.firstMember(); more; more = r.nextMember() {
		key := r.name
		if _, twice := c.field[key]; twice {
			r.Fail()
		}
		var p part
		r.readPart(&p)
		c.field[key] = p
	}
	return r.AtEnd()
}

// take removes the leftovers of one step from the copy.
func (c *carriage) take(key stepKey) (in incoming) {
	a := c.takeAnnotation(key)
	if a.Spec != nil {
		in.spec = &placedPart{*a.Spec, c.place(key)}
	}
	if c.field != nil {
		p, ok := c.field[key.step]
		delete(c.field, key.step)
		if ok {
			in.status = &placedPart{p, leftoverField}
		}
		in.settled = !ok && !c.fieldBroken
		return in
	}
	if a.Status != nil {
		if a.Status.UID != c.uid {
			c.ignore(ignored{kind: statusPart, field: c.place(key), why: "the status part is that of another claim", stale: true})
			return in
		}
		in.status = &placedPart{*a.Status, c.place(key)}
	}
	return in
}

func (c *carriage) takeAnnotation(key stepKey) annotation {
	value, ok := c.meta.annotations.takeOut(key.annotation)
	if !ok {
		return annotation{}
	}
	a := c.workspace.room.annotation.one()
	if !c.read([]byte(value), a) {
		c.ignore(ignored{kind: specPart, field: c.place(key), why: "is malformed"})
		return annotation{}
	}
	return *a
}

// put adds the leftovers of one step to the copy, as far as they fit.
func (c *carriage) put(key stepKey, out outgoing) {
	c.meta.annotations.delete(key.annotation)
	if out.status != nil && c.field != nil {
		c.field[key.step] = *out.status
		c.carry(leftoverField, statusPart, out.status)
	}
	a := annotation{Spec: out.spec}
	if out.status != nil {
		p := *out.status
		p.UID = c.uid
		a.Status = &p
	}
	if a.Spec == nil && a.Status == nil {
		return
	}
	// What fits is kept, the spec part first: a status part has its field as well.
	for _, try := range []annotation{a, {Spec: a.Spec}, {Status: a.Status}} {
		if try.Spec == nil && try.Status == nil {
			continue
		}
		if text := string(encode(&try)); c.fits(key.annotation, text) {
			c.meta.annotations.set(key.annotation, text)
			c.carry(c.place(key), specPart, try.Spec)
			c.carry(c.place(key), statusPart, try.Status)
			a.Spec, a.Status = without(a.Spec, try.Spec), without(a.Status, try.Status)
			break
		}
	}
	if a.Spec != nil || a.Status != nil {
		c.missing.add(a, len(encode(&annotation{out.spec, out.status})))
	}
}

func without(all, kept *part) *part {
	if kept != nil {
		return nil
	}
	return all
}

func (c *carriage) place(key stepKey) string { return c.path + "annotations[" + key.annotation + "]" }

// carry reports a part by the names of what it holds.
func (c *carriage) carry(place string, kind partKind, p *part) {
	if p == nil {
		return
	}
	members, _, _ := membersOf(p.Value)
	names := make([]string, len(members))
	for i, m := range members {
		names[i] = m.name
	}
	c.report.Carried = append(c.report.Carried,
		fmt.Sprintf("%s: %s part (%s), %d bytes", place, kind, strings.Join(names, ", "), len(p.Value)))
}
