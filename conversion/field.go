package conversion

import (
	"cmp"
	"slices"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// leftoverField is the path of the status part.
const leftoverField = "status.claimbridgeLeftover"

// maxSteps that a field has parts of: more than the chain has, so that parts of later steps pass.
const maxSteps = 16

// field is status.claimbridgeLeftover: the status part of each step. It has no bound of its own: what going down makes,
// going up takes, whatever its size.
type field struct {
	// there is set when the object has the field, or is to have it.
	there bool
	// broken says why the field cannot be used, or a part of it. Then what is left over is not known, and the annotation is
	// not asked either: a client may have written it.
	broken string
	// given is the text of a field that could not be read: going down it stays as it is.
	given string
	parts []stepPart
}

// stepPart is the part of a step.
type stepPart struct {
	step string
	part part
}

// unknown is the part of a step of which nothing is known: the object was stored in the step's older version. It keeps a
// main write from settling the matter by an annotation.
func (p *part) unknown() bool { return p.Digest == "" }

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

// openField reads the field. No step looks at it, and no digest covers it.
func (c *carriage) openField(text *string) {
	if text == nil || *text == "" {
		return
	}
	given := *text
	c.field.there = true
	if c.readField(kjson.BytesOf(given)) || c.decodeField(kjson.BytesOf(given)) {
		return
	}
	c.field.parts, c.field.given, c.field.broken = nil, given, "it is malformed"
	c.ignore(ignored{kind: statusPart, field: leftoverField, why: "is malformed"})
}

// readField reads the parts if they are written as this package writes them.
func (c *carriage) readField(text []byte) bool {
	r := c.workspace.arena.Reader(text)
	for more := r.First(); more; more = r.Next() {
		step := r.Name()
		if _, twice := c.field.take(step); twice || len(c.field.parts) == maxSteps {
			r.Fail()
			break
		}
		var p part
		readPart(r, &p)
		c.field.parts = append(c.field.parts, stepPart{step, p})
	}
	return r.Done()
}

// decodeField reads them however they are written, but strictly.
func (c *carriage) decodeField(text []byte) bool {
	var parts map[string]part
	c.field.parts = nil
	if !kjson.DecodeStrictly(text, &parts) || len(parts) > maxSteps {
		return false
	}
	for step, p := range parts {
		c.field.put(step, p)
	}
	return true
}

// closeField writes the field, when there is one to write. A copy with an allocation always gets it, even when nothing
// is left over: its presence is what makes the annotation's copy powerless.
func (c *carriage) closeField(text *string) {
	if text == nil || !c.field.there {
		return
	}
	if c.field.given != "" {
		*text = c.field.given
		return
	}
	slices.SortFunc(c.field.parts, func(a, b stepPart) int { return cmp.Compare(a.step, b.step) })
	*text = kjson.View(c.workspace.written(func(w *kjson.Writer) {
		w.Begin('{')
		for i := range c.field.parts {
			w.Text(c.field.parts[i].step)
			w.Out = append(w.Out, ':')
			writePart(w, &c.field.parts[i].part)
			w.Comma()
		}
		w.End('}')
	}))
}
