package leftover

import (
	"fmt"
	"strings"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// Leftovers are those of all steps that an object is converted by.
//
// A main write takes the client's annotations together with the stored status, so it can neither strip nor forge the
// field; a status write takes the stored annotations, so a client that drops the field falls back on a copy that it
// could not touch.
type Leftovers struct {
	// Meta holds the annotations: an object's own, or spec.metadata of a template, since controllers copy that into
	// claims. Path is where it stands.
	Meta *kjson.Metadata
	Path string
	UID  string
	// Deleting is set when the object has a deletionTimestamp: then nothing that it lacks is needed any more.
	Deleting bool
	// Bare is set when nothing travels: there is none to take, and none is put.
	Bare bool
	// ReportCarried is set to fill in Carried.
	ReportCarried bool

	// Ignored are leftovers that could not be used.
	Ignored []Ignored
	// Carried leftovers of the answer, each with its path and what it holds.
	Carried []string

	field   field
	missing incomplete
}

// Incoming are the parts of a step that an object came with.
type Incoming struct {
	Spec, Status *Found
	// Settled is set when the status is known to have nothing left over, as opposed to nothing being known.
	Settled bool
}

// Outgoing are the parts of a step that an object leaves with.
type Outgoing struct {
	Spec, Status *Part
	// Unallocated is set when the status part completes a status without an allocation. Such a claim has no field.
	Unallocated bool
}

// Take removes the leftovers of one step from the copy.
func (l *Leftovers) Take(key Key) (in Incoming) {
	if l.Bare {
		return in
	}
	a := l.takeAnnotation(key)
	if a.Spec != nil {
		in.Spec = &Found{*a.Spec, l.annotationPath(key)}
	}
	if l.field.there {
		p, ok := l.field.take(key.Step)
		if !p.unknown() {
			in.Status = &Found{p, FieldPath}
		}
		in.Settled = !ok && l.field.broken == ""
		return in
	}
	if a.Status != nil {
		if a.Status.UID != l.UID {
			l.Ignore(Ignored{Kind: Status, Field: l.annotationPath(key), Why: "the status part is that of another claim", Stale: true})
			return in
		}
		in.Status = &Found{*a.Status, l.annotationPath(key)}
	}
	return in
}

func (l *Leftovers) takeAnnotation(key Key) Annotation {
	quoted, ok := l.Meta.Annotations.TakeOut(key.Annotation)
	if !ok {
		return Annotation{}
	}
	text, _ := kjson.AppendUnquoted(nil, quoted)
	var a Annotation
	if !kjson.ReadStrictly(Codec, text, &a) {
		l.Ignore(Ignored{Kind: Spec, Field: l.annotationPath(key), Why: "is malformed"})
		return Annotation{}
	}
	return a
}

// Protect makes a copy carry the field, wherever the object was stored: without it a main write through the copy could
// strip or forge status. What comes from an older version has nothing of the steps above it but what its annotations say,
// which were stored with it. A copy that is labelled incomplete stays so.
func (l *Leftovers) Protect(above []Key) {
	if l.field.there || l.missing.status || l.missing.devices {
		return
	}
	l.field.there = true
	for _, key := range above {
		var a Annotation
		text, _ := l.Meta.Annotations.Get(key.Annotation)
		kjson.ReadStrictly(Codec, kjson.BytesOf(text), &a)
		p := Part{}
		if a.Status != nil && a.Status.UID == l.UID {
			p = Part{Digest: a.Status.Digest, Value: a.Status.Value}
		}
		l.field.put(key.Step, p)
	}
}

// Put adds the leftovers of one step to the copy, as far as they fit.
func (l *Leftovers) Put(key Key, out Outgoing) {
	l.Meta.Annotations.Delete(key.Annotation)
	a := Annotation{Spec: out.Spec}
	if out.Status != nil {
		l.field.put(key.Step, *out.Status)
		a.Status = &Part{Digest: out.Status.Digest, UID: l.UID, Value: out.Status.Value}
	}
	if l.ReportCarried && l.field.there && !out.Unallocated {
		l.carry(FieldPath, Status, out.Status)
	}
	// What fits is kept, the spec part first: a status part has its field as well.
	for _, try := range []Annotation{a, {Spec: a.Spec}, {Status: a.Status}} {
		if try.Spec == nil && try.Status == nil {
			continue
		}
		if l.annotate(key, &try) {
			if l.ReportCarried {
				l.carry(l.annotationPath(key), Spec, try.Spec)
				l.carry(l.annotationPath(key), Status, try.Status)
			}
			a.Spec, a.Status = without(a.Spec, try.Spec), without(a.Status, try.Status)
			break
		}
	}
	if a.Spec != nil || a.Status != nil {
		whole := Annotation{Spec: out.Spec, Status: out.Status}
		kjson.Lend(func(w *kjson.Writer) { writeAnnotation(w, &whole) }, func(text []byte) { l.missing.add(a, out.Unallocated, len(text)) })
	}
}

// annotate sets an annotation, if it fits.
func (l *Leftovers) annotate(key Key, a *Annotation) (fits bool) {
	kjson.Lend(func(w *kjson.Writer) { writeAnnotation(w, a) }, func(text []byte) {
		if fits = l.fits(len(key.Annotation) + len(text)); fits {
			l.Meta.Annotations.Set(key.Annotation, kjson.View(text))
		}
	})
	return fits
}

func without(all, kept *Part) *Part {
	if kept != nil {
		return nil
	}
	return all
}

func (l *Leftovers) annotationPath(key Key) string {
	return l.Path + "annotations[" + key.Annotation + "]"
}

// carry reports a part by the names of what it holds.
func (l *Leftovers) carry(path string, kind Kind, p *Part) {
	if p == nil {
		return
	}
	members, _, _ := kjson.Members(p.Value)
	names := make([]string, len(members))
	for i, m := range members {
		names[i] = m.Name
	}
	l.Carried = append(l.Carried,
		fmt.Sprintf("%s: %s part (%s), %d bytes", path, kind, strings.Join(names, ", "), len(p.Value)))
}

func carried(path string, kind Kind, bytes int) string {
	return fmt.Sprintf("%s: %s part, %d bytes", path, kind, bytes)
}
