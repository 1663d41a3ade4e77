package chain

import "github.com/claimbridge/claimbridge/conversion/internal/leftover"

// Step joins two neighbouring versions, both directions side by side. Its functions are pure and total: no clock, no
// client, no error, and what they are given is not changed; what they give may share memory with it. What only the older side can say is
// stored natively in the new object. What only the newer side can say is not the step's business.
type Step[OldSpec, OldStatus, NewSpec, NewStatus any] struct {
	Old, New string // the versions

	Up   func(Of[OldSpec, OldStatus]) Of[NewSpec, NewStatus]
	Down func(Of[NewSpec, NewStatus]) Of[OldSpec, OldStatus]
	// Moves say in words which fields of the old version are found where in the new one, in the order of the old
	// version. What is not listed keeps its path.
	Moves []Move

	// Mark is status.claimbridgeLeftover of the old side, and nil where both sides can say the same: then the three below are absent, too.
	Mark func(*OldStatus) *string
	// Allocated reports whether there is an allocation.
	Allocated func(*OldStatus) bool
	// Defaults are set in the parts of the old object, which may be nil.
	Defaults func(*OldSpec, *OldStatus)
	// NamesNoRequest is set where an allocation of the old side does not say which request it is for.
	NamesNoRequest bool

	// RefuseOld and RefuseNew say which field of a claim of the old side, or of the new one, is beyond a limit of its version
	// that holds for what completes a claim, too: it would not come back. Both may be absent.
	RefuseOld func(Of[OldSpec, OldStatus]) error
	RefuseNew func(Of[NewSpec, NewStatus]) error
	// Lost names what the old side says and the new side has no home for; it may be absent.
	Lost func(Of[OldSpec, OldStatus]) []string
	// Inspect finds entries of ours in the new object that are malformed or out of place, and may be this step's own work; absent where the
	// step makes none.
	Inspect func(new Of[NewSpec, NewStatus], own bool) []leftover.Finding
}

// Move is a field of the old version, where it is found in the new one, and a note.
type Move struct{ Old, New, Note string }
