package conversion

import (
	"cmp"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/claimbridge/claimbridge/internal/jsonscan"
)

// leftoverField is the path of the status part.
const leftoverField = "status.claimbridgeLeftover"

// maxField is the greatest length in bytes of status.claimbridgeLeftover that is read: etcd takes requests of at
// most 1.5 MiB, so no longer one was ever stored.
const maxField = 3 << 19

// maxSteps that a field has parts of: more than the chain has, so that parts of later steps pass.
const maxSteps = 16

// field is status.claimbridgeLeftover: the status part of each step.
type field struct {
	// there is set when the object has the field, or is to have it.
	there bool
	// broken is set when it was there but could not be read: then nothing is known, and the annotation is not asked either.
	broken bool
	parts  []stepPart
}

// stepPart is the part of a step.
type stepPart struct {
	step string
	part part
}

// put the part of a step.
func (f *field) put(step string, p part) {
	f.take(step)
	f.parts = append(f.parts, stepPart{step, p})
}

// take the part of a step away.
func (f *field) take(step string) (part, bool) {
	for i, p := range f.parts {
		if p.step == step {
			f.parts = slices.Delete(f.parts, i, i+1)
			return p.part, true
		}
	}
	return part{}, false
}

// openField reads the field and empties it, so that no digest covers it.
func (c *carriage) openField(text *string) {
	if text == nil || *text == "" {
		return
	}
	given := *text
	*text = ""
	c.field.there = true
	if len(given) <= maxField && (c.readField(bytesOf(given)) || c.decodeField(bytesOf(given))) {
		return
	}
	c.field.parts, c.field.broken = nil, true
	c.ignore(ignored{kind: statusPart, field: leftoverField, why: "is malformed"})
}

// readField reads the parts if they are written as this package writes them.
func (c *carriage) readField(text []byte) bool {
	r := reader{Scanner: jsonscan.New(text), data: text, source: view(text), room: &c.workspace.room}
	for more := r.firstMember(); more; more = r.nextMember() {
		step := r.name
		if _, twice := c.field.take(step); twice || len(c.field.parts) == maxSteps {
			r.Fail()
			break
		}
		var p part
		r.readPart(&p)
		c.field.parts = append(c.field.parts, stepPart{step, p})
	}
	return r.AtEnd()
}

// decodeField reads them however they are written, but strictly.
func (c *carriage) decodeField(text []byte) bool {
	var parts map[string]part
	c.field.parts = nil
	if json.Unmarshal(text, &parts, strictly) != nil || len(parts) > maxSteps {
		return false
	}
	for step, p := range parts {
		c.field.put(step, p)
	}
	return true
}

// closeField writes the field, when there is one to write. An allocation from storage always gets it, even when
// nothing is left over: its presence is what makes the annotation's copy powerless.
func (c *carriage) closeField(text *string) {
	if text == nil || !c.field.there {
		return
	}
	slices.SortFunc(c.field.parts, func(a, b stepPart) int { return cmp.Compare(a.step, b.step) })
	*text = view(c.workspace.written(func(w *writer) {
		w.begin('{')
		for i := range c.field.parts {
			w.text(c.field.parts[i].step)
			w.out = append(w.out, ':')
			w.writePart(&c.field.parts[i].part)
			w.comma()
		}
		w.end('}')
	}))
}
