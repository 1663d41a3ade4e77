package chain

import "github.com/claimbridge/claimbridge/conversion/internal/leftover"

// Native joins two versions that can say the same in two ways: nothing travels beside an object. Its functions are pure and
// total, and what they give may share memory with what they are given.
type Native[OldSpec, OldStatus, NewSpec, NewStatus any] struct {
	Old, New string // the versions

	Up   func(Of[OldSpec, OldStatus]) Of[NewSpec, NewStatus]
	Down func(Of[NewSpec, NewStatus]) Of[OldSpec, OldStatus]
	// Moves say in words which fields of the old version are found where in the new one.
	Moves []Move
}

// Link hides the types of the step.
func (n Native[OldSpec, OldStatus, NewSpec, NewStatus]) Link() Link {
	type old = Of[OldSpec, OldStatus]
	type new = Of[NewSpec, NewStatus]
	return Link{
		Old: n.Old, New: n.New, Moves: n.Moves, native: true,
		NewOld: func(f Form) Claim { return &old{Complete: f.Complete, AsWritten: f.AsWritten, Request: f.Request} },
		NewNew: func(f Form) Claim { return &new{Complete: f.Complete, AsWritten: f.AsWritten, Request: f.Request} },
		up: func(c Claim, _ *leftover.Leftovers) Claim {
			up := n.Up(*c.(*old))
			return &up
		},
		down: func(c Claim, _ *leftover.Leftovers) Claim {
			down := n.Down(*c.(*new))
			return &down
		},
		field: func(Claim) *string { return nil },
		lost:  func(Claim) []string { return nil },
	}
}
