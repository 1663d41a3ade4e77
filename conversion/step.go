package conversion

import (
	"fmt"
)

// leftovers are what the newer side of a step can say and the older cannot: a spec part and a status part, nil when
// nothing is left over.
type leftovers[Spec, Status any] struct {
	Spec   *Spec
	Status *Status
	// Settled is set when the status is known to have nothing left over, as opposed to nothing being known.
	Settled bool
}

// step joins two neighbouring versions, both directions side by side. Its functions are pure and total: no clock, no
// client, no error, and what they are given is not changed. OldOnly is what only the older side can say; going up it
// is stored natively in the new object. Spec and Status are what only the newer side can say; going down they travel
// beside the object.
type step[Old, New, OldOnly, Spec, Status any] struct {
	old, new string

	up   func(Old, leftovers[Spec, Status]) (New, OldOnly)
	down func(New, OldOnly) (Old, leftovers[Spec, Status])

	// store puts what only the old side can say into the new object; take gets it out again, and says what it found
	// there but could not use.
	store func(New, OldOnly) New
	take  func(New) (New, OldOnly, []ignored)

	// spec and status are the parts of the old object that the leftovers complete, normalised for the digest.
	spec, status func(Old) any
	// checkSpec and checkStatus refuse leftovers that restore what the new side would not accept, or that say
	// something else than the old object shows.
	checkSpec   func(Old, *Spec) error
	checkStatus func(Old, *Status) error
	// lost names what the old side says and the new side has no home for.
	lost func(Old) []string
}

// link is a step whose types are hidden, so that steps can stand in a list.
type link struct {
	old, new string
	up, down func(c any, carried *carriage) any
}

// key under which the leftovers of a link travel.
func (l link) key() string { return notIn(l.new, l.old) }

func notIn(newer, older string) string { return newer + "-not-in-" + older }

func (s step[Old, New, OldOnly, Spec, Status]) link() link {
	l := link{old: s.old, new: s.new}
	key := newStepKey(l.key())
	l.up = func(c any, carried *carriage) any {
		old := *c.(*Old)
		in := carried.take(key)
		newOnly := leftovers[Spec, Status]{Settled: in.settled}
		if in.spec != nil {
			newOnly.Spec = open(carried, in.spec, specPart, s.spec(old), func(v *Spec) error { return s.checkSpec(old, v) })
		}
		// Without an allocation there is nothing to complete: a client of old that deallocates cannot touch the annotation.
		if visible := s.status(old); in.status != nil && visible != nil {
			newOnly.Status = open(carried, in.status, statusPart, visible, func(v *Status) error { return s.checkStatus(old, v) })
		}
		if s.lost != nil {
			carried.report.Lost = append(carried.report.Lost, s.lost(old)...)
		}
		converted, oldOnly := s.up(old, newOnly)
		converted = s.store(converted, oldOnly)
		return &converted
	}
	l.down = func(c any, carried *carriage) any {
		stored, oldOnly, unused := s.take(*c.(*New))
		for _, i := range unused {
			carried.ignore(i)
		}
		old, newOnly := s.down(stored, oldOnly)
		var out outgoing
		if newOnly.Spec != nil {
			out.spec = carried.workspace.partOf(s.spec(old), newOnly.Spec)
		}
		if newOnly.Status != nil {
			out.status = carried.workspace.partOf(s.status(old), newOnly.Status)
		}
		carried.put(key, out)
		return &old
	}
	return l
}

// open reads a part strictly. A part that is malformed or that completes another content than the one that is there
// is not used: an edit beats a leftover.
func open[T any](carried *carriage, p *placedPart, kind partKind, visible any, check func(*T) error) *T {
	if p.Digest != carried.workspace.digest(visible) {
		carried.ignore(ignored{kind, p.place, fmt.Sprintf("the %s part completes another %s than the one that is there", kind, kind), true})
		return nil
	}
	value, problem := new(T), ""
	if !readStrictly(&carried.workspace.room, p.Value, value) {
		problem = fmt.Sprintf("the %s part is malformed", kind)
	} else if err := check(value); err != nil {
		problem = fmt.Sprintf("the %s part is malformed: %v", kind, err)
	}
	if problem == "" {
		return value
	}
	carried.ignore(ignored{kind: kind, field: p.place, why: problem})
	if p.place == leftoverField {
		carried.field.broken = problem
	}
	return nil
}
