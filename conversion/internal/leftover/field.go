package leftover

import (
	"cmp"
	"slices"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// FieldPath of the status part.
const FieldPath = "status.claimbridgeLeftover"

// MaxSteps that a field has parts of: more than the chain has, so that parts of later steps pass.
const MaxSteps = 16

// field is status.claimbridgeLeftover: the status part of each step. It has no bound of its own: what going down makes,
// going up takes, whatever its size.
type field struct {
	// there is set when the object has the field, or is to have it.
	there bool
	// broken says why the field cannot be used, or a part of it. Then what is left over is not known, and the annotation is
	// not asked either: a client may have written it.
	broken string
	// at is where.
	at string
	// given is the text of a field that could not be read: going down it stays as it is.
	given string
	parts []stepPart
}

// stepPart is the part of a step.
type stepPart struct {
	step string
	part Part
}

// put the part of a step.
func (f *field) put(step string, p Part) {
	f.take(step)
	f.parts = append(f.parts, stepPart{step, p})
}

// take the part of a step away.
func (f *field) take(step string) (Part, bool) {
	for i, p := range f.parts {
		if p.step == step {
			f.parts = slices.Delete(f.parts, i, i+1)
			return p.part, true
		}
	}
	return Part{}, false
}

// OpenField reads the field. No step looks at it, and no digest covers it.
func (l *Leftovers) OpenField(text *string) {
	if text == nil || *text == "" {
		return
	}
	given := *text
	l.field.there = true
	if l.readField(kjson.BytesOf(given)) || l.decodeField(kjson.BytesOf(given)) {
		return
	}
	l.field.parts, l.field.given, l.field.broken = nil, given, "it is malformed"
	l.Ignore(Ignored{Kind: Status, Field: FieldPath, Why: "is malformed"})
}

// readField reads the parts if they are written as this package writes them.
func (l *Leftovers) readField(text []byte) bool {
	r := kjson.NewReader(text)
	for more := r.First(); more; more = r.Next() {
		step := r.Name()
		if _, twice := l.field.take(step); twice || len(l.field.parts) == MaxSteps {
			r.Fail()
			break
		}
		var p Part
		readPart(r, &p)
		l.field.parts = append(l.field.parts, stepPart{step, p})
	}
	return r.Done()
}

// decodeField reads them however they are written, but strictly.
func (l *Leftovers) decodeField(text []byte) bool {
	var parts map[string]Part
	l.field.parts = nil
	if !kjson.DecodeStrictly(text, &parts) || len(parts) > MaxSteps {
		return false
	}
	for step, p := range parts {
		l.field.put(step, p)
	}
	return true
}

// CloseField writes the field, when there is one to write. A copy with an allocation always gets it, even when nothing
// is left over: its presence is what makes the annotation's copy powerless.
func (l *Leftovers) CloseField(text *string) {
	if text == nil || !l.field.there {
		return
	}
	if l.field.given != "" {
		*text = l.field.given
		return
	}
	slices.SortFunc(l.field.parts, func(a, b stepPart) int { return cmp.Compare(a.step, b.step) })
	*text = kjson.View(kjson.Written(l.field.write))
}

func (f *field) write(w *kjson.Writer) {
	w.Begin('{')
	for i := range f.parts {
		w.Text(f.parts[i].step)
		w.Out = append(w.Out, ':')
		writePart(w, &f.parts[i].part)
		w.Comma()
	}
	w.End('}')
}
