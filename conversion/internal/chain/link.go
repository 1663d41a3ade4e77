package chain

import (
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// Link is a step whose types are hidden, so that steps can stand in a list.
type Link struct {
	Old, New string // the versions
	// Key under which the leftovers of the step travel.
	Key leftover.Key
	// NewOld and NewNew make claims of the two versions, to be read into.
	NewOld, NewNew func(Form) Claim
	// Inspect is nil for a step that stores nothing of its own in the new object.
	Inspect func(stored Claim) []leftover.Finding
	Moves   []Move

	// native is set where nothing travels beside an object.
	native bool
	// namesNoRequest is that of the step.
	namesNoRequest bool
	up, down       func(Claim, *leftover.Leftovers) Claim
	field          func(old Claim) *string
	mark           func(old Claim) *string
	// completed are copies of the parts of an old object, with defaults.
	completed func(old Claim) (spec, status any)
	lost      func(old Claim) []string
	// refuseOld and refuseNew are nil where nothing is too much.
	refuseOld, refuseNew func(Claim) error
}

// Link hides the types of a step.
func (s Step[OldSpec, OldStatus, NewSpec, NewStatus, Spec, Status]) Link() Link {
	type old = Of[OldSpec, OldStatus]
	type new = Of[NewSpec, NewStatus]
	l := Link{Old: s.Old, New: s.New, Key: leftover.KeyOf(s.New, s.Old), Moves: s.Moves, namesNoRequest: s.NamesNoRequest}
	l.NewOld = func(f Form) Claim { return &old{Complete: f.Complete, AsWritten: f.AsWritten, Request: f.Request} }
	l.NewNew = func(f Form) Claim { return &new{Complete: f.Complete, AsWritten: f.AsWritten, Request: f.Request} }
	l.up = func(c Claim, travelling *leftover.Leftovers) Claim {
		up := s.Up(*c.(*old), s.take(*c.(*old), l.Key, travelling))
		return &up
	}
	l.down = func(c Claim, travelling *leftover.Leftovers) Claim {
		newer := *c.(*new)
		newer.ShownOnly = travelling.Bare
		down, newOnly, unused := s.Down(newer)
		for _, i := range unused {
			travelling.Ignore(i)
		}
		if !travelling.Bare {
			s.put(down, newOnly, l.Key, travelling)
		}
		return &down
	}
	l.field = func(c Claim) *string {
		if status := c.(*old).Status; status != nil {
			return s.Field(status)
		}
		return nil
	}
	l.mark = func(c Claim) *string {
		if status := c.(*old).Status; status != nil {
			return s.Mark(status)
		}
		return nil
	}
	l.completed = func(c Claim) (any, any) {
		o := c.(*old)
		copied := old{Spec: copyOf(o.Spec), Status: copyOf(o.Status)}
		s.Defaults(copied.Spec, copied.Status)
		return copied.Parts()
	}
	l.lost = func(c Claim) []string {
		if s.Lost == nil {
			return nil
		}
		return s.Lost(*c.(*old))
	}
	if s.RefuseOld != nil {
		l.refuseOld = func(c Claim) error { return s.RefuseOld(*c.(*old)) }
	}
	if s.RefuseNew != nil {
		l.refuseNew = func(c Claim) error { return s.RefuseNew(*c.(*new)) }
	}
	if s.Inspect != nil {
		l.Inspect = func(c Claim) []leftover.Finding { return s.Inspect(*c.(*new)) }
	}
	return l
}

// take what travels beside an old object, as far as it completes it.
func (s Step[OldSpec, OldStatus, NewSpec, NewStatus, Spec, Status]) take(old Of[OldSpec, OldStatus], key leftover.Key, travelling *leftover.Leftovers) NewOnly[Spec, Status] {
	in := travelling.Take(key)
	newOnly := NewOnly[Spec, Status]{Settled: in.Settled}
	if in.Spec != nil {
		newOnly.Spec = leftover.Open(travelling, s.Codec, in.Spec, leftover.Spec, s.VisibleSpec(old), func(v *Spec) error { return s.CheckSpec(old, v) })
	}
	if in.Status == nil {
		return newOnly
	}
	visible := s.VisibleStatus(old)
	// Without an allocation there is nothing to complete but what was left over without one: a client of old that deallocates
	// cannot touch the annotation.
	if visible == nil || !s.allocated(old) && in.Status.Digest != leftover.Digest(visible) {
		return newOnly
	}
	newOnly.Status = leftover.Open(travelling, s.Codec, in.Status, leftover.Status, visible, func(v *Status) error { return s.CheckStatus(old, v) })
	return newOnly
}

func (s Step[OldSpec, OldStatus, NewSpec, NewStatus, Spec, Status]) allocated(old Of[OldSpec, OldStatus]) bool {
	return old.Status != nil && s.Field(old.Status) != nil
}

// put what is left over beside an old object.
func (s Step[OldSpec, OldStatus, NewSpec, NewStatus, Spec, Status]) put(old Of[OldSpec, OldStatus], newOnly NewOnly[Spec, Status], key leftover.Key, travelling *leftover.Leftovers) {
	var out leftover.Outgoing
	if newOnly.Spec != nil {
		out.Spec = &leftover.Part{Digest: leftover.Digest(s.VisibleSpec(old)), Value: s.Codec.Encode(newOnly.Spec)}
	}
	if newOnly.Status != nil {
		out.Unallocated = !s.allocated(old)
		out.Status = &leftover.Part{Digest: leftover.Digest(s.VisibleStatus(old)), Value: s.Codec.Encode(newOnly.Status)}
	}
	travelling.Put(key, out)
}

// copyOf a part that shares nothing with it.
func copyOf[T any](part *T) *T {
	if part == nil {
		return nil
	}
	copied := new(T)
	if _, err := kjson.Decode(textOf(part), copied); err != nil {
		return part // it was read before
	}
	return copied
}
