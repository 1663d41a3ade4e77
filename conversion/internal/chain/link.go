package chain

import (
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// Link is a step whose types are hidden, so that steps can stand in a list.
type Link struct {
	Old, New string // the versions
	// NewOld and NewNew make claims of the two versions, to be read into.
	NewOld, NewNew func(Form) Claim
	Moves          []Move

	up, down func(Claim) Claim
	// native is set where both sides can say the same.
	native bool
	// mark of an old object is nil where it has no status.
	mark           func(old Claim) *string
	allocated      func(old Claim) bool
	completed      func(old Claim) parts
	namesNoRequest bool
	// These are nil where there is nothing to say.
	lost                 func(old Claim) []string
	refuseOld, refuseNew func(Claim) error
	inspect              func(stored Claim, own bool) []leftover.Finding
}

// parts of a claim.
type parts struct{ spec, status any }

// Link hides the types of a step.
func (s Step[OldSpec, OldStatus, NewSpec, NewStatus]) Link() Link {
	type old = Of[OldSpec, OldStatus]
	type new = Of[NewSpec, NewStatus]
	l := Link{
		Old: s.Old, New: s.New, Moves: s.Moves, native: s.Mark == nil, namesNoRequest: s.NamesNoRequest,
		NewOld: func(f Form) Claim { return &old{Complete: f.Complete, AsWritten: f.AsWritten, Request: f.Request} },
		NewNew: func(f Form) Claim { return &new{Complete: f.Complete, AsWritten: f.AsWritten, Request: f.Request} },
		up: func(c Claim) Claim {
			up := s.Up(*c.(*old))
			return &up
		},
		down: func(c Claim) Claim {
			down := s.Down(*c.(*new))
			return &down
		},
		mark: func(c Claim) *string {
			if status := c.(*old).Status; status != nil {
				return s.Mark(status)
			}
			return nil
		},
		allocated: func(c Claim) bool {
			status := c.(*old).Status
			return status != nil && s.Allocated(status)
		},
		completed: func(c Claim) parts {
			spec, status := copyOf(c.(*old).Spec), copyOf(c.(*old).Status)
			s.Defaults(spec, status)
			p := old{Spec: spec, Status: status}
			return partsOf(&p)
		},
	}
	if s.Lost != nil {
		l.lost = func(c Claim) []string { return s.Lost(*c.(*old)) }
	}
	if s.RefuseOld != nil {
		l.refuseOld = func(c Claim) error { return s.RefuseOld(*c.(*old)) }
	}
	if s.RefuseNew != nil {
		l.refuseNew = func(c Claim) error { return s.RefuseNew(*c.(*new)) }
	}
	if s.Inspect != nil {
		l.inspect = func(c Claim, own bool) []leftover.Finding { return s.Inspect(*c.(*new), own) }
	}
	return l
}

func partsOf(c Claim) (p parts) {
	p.spec, p.status = c.Parts()
	return p
}

// copyOf a part that shares nothing with it.
func copyOf[T any](part *T) *T {
	if part == nil {
		return nil
	}
	copied := new(T)
	if _, err := kjson.Read(textOf(part), copied, nil); err != nil {
		return part // it was read before
	}
	return copied
}
