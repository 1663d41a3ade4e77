package conversion

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// domain of everything that is ours.
const domain = "claimbridge.dev"

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
	meta *kjson.Metadata
	path string
	uid  string
	// deleting is set when the object has a deletionTimestamp: then nothing that it lacks is needed any more.
	deleting bool

	field   field
	missing incomplete
	report  Report
	// tell is set to report what is carried.
	tell    bool
	ignored []ignored
}

// take removes the leftovers of one step from the copy.
func (c *carriage) take(key stepKey) (in incoming) {
	a := c.takeAnnotation(key)
	if a.Spec != nil {
		in.spec = &placedPart{*a.Spec, c.place(key)}
	}
	if c.field.there {
		p, ok := c.field.take(key.step)
		if !p.unknown() {
			in.status = &placedPart{p, leftoverField}
		}
		in.settled = !ok && c.field.broken == ""
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
	quoted, ok := c.meta.Annotations.TakeOut(key.annotation)
	if !ok {
		return annotation{}
	}
	a := c.workspace.room.annotation.one()
	if !readStrictly(&c.workspace.room, c.workspace.unquote(quoted), a) {
		c.ignore(ignored{kind: specPart, field: c.place(key), why: "is malformed"})
		return annotation{}
	}
	return *a
}

// protect makes a copy carry the field, wherever the object was stored: without it a main write through the copy could
// strip or forge status. What comes from an older version has nothing of the steps above it but what its annotations say,
// which were stored with it. A copy that is labelled incomplete stays so.
func (c *carriage) protect(above []link) {
	if c.field.there || c.missing.status {
		return
	}
	c.field.there = true
	for _, l := range above {
		key := newStepKey(l.key())
		var a annotation
		text, _ := c.meta.Annotations.Get(key.annotation)
		readStrictly(&c.workspace.room, kjson.BytesOf(text), &a)
		p := part{}
		if a.Status != nil && a.Status.UID == c.uid {
			p = part{Digest: a.Status.Digest, Value: a.Status.Value}
		}
		c.field.put(key.step, p)
	}
}

// put adds the leftovers of one step to the copy, as far as they fit.
func (c *carriage) put(key stepKey, out outgoing) {
	c.meta.Annotations.Delete(key.annotation)
	room := &c.workspace.room
	a := room.annotation.one()
	a.Spec = out.spec
	if out.status != nil {
		c.field.put(key.step, *out.status)
		a.Status = room.part.put(*out.status)
		a.Status.UID = c.uid
	}
	if c.tell && c.field.there {
		c.carry(leftoverField, statusPart, out.status)
	}
	// What fits is kept, the spec part first: a status part has its field as well.
	for _, try := range []annotation{*a, {Spec: a.Spec}, {Status: a.Status}} {
		if try.Spec == nil && try.Status == nil {
			continue
		}
		text := kjson.View(c.workspace.written(func(w *kjson.Writer) { writeAnnotation(w, &try) }))
		if c.fits(key.annotation, text) {
			c.meta.Annotations.Set(key.annotation, room.quote(text))
			if c.tell {
				c.carry(c.place(key), specPart, try.Spec)
				c.carry(c.place(key), statusPart, try.Status)
			}
			a.Spec, a.Status = without(a.Spec, try.Spec), without(a.Status, try.Status)
			break
		}
	}
	if a.Spec != nil || a.Status != nil {
		c.missing.add(*a, len(encode(&annotation{out.spec, out.status})))
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
	members, _, _ := kjson.Members(p.Value)
	names := make([]string, len(members))
	for i, m := range members {
		names[i] = m.Name
	}
	c.report.Carried = append(c.report.Carried,
		fmt.Sprintf("%s: %s part (%s), %d bytes", place, kind, strings.Join(names, ", "), len(p.Value)))
}
