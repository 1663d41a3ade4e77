package chain

import (
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// Step joins two neighbouring versions, both directions side by side. Its functions are pure and total: no clock, no
// client, no error, and what they are given is not changed. What only the older side can say is stored natively in the
// new object. Spec and Status are what only the newer side can say; going down they travel beside the object.
type Step[OldSpec, OldStatus, NewSpec, NewStatus, Spec, Status any] struct {
	Old, New string // the versions
	// Codec of what is left over.
	Codec kjson.Codec

	Up func(Of[OldSpec, OldStatus], NewOnly[Spec, Status]) Of[NewSpec, NewStatus]
	// Down also says what it found in the new object but could not use.
	Down func(Of[NewSpec, NewStatus]) (Of[OldSpec, OldStatus], NewOnly[Spec, Status], []leftover.Ignored)

	// VisibleSpec and VisibleStatus are the parts of the old object that the leftovers complete, normalised for the
	// digest; nil when there is none. A status without an allocation is one like any other of its kind, whatever else it says.
	VisibleSpec, VisibleStatus func(Of[OldSpec, OldStatus]) any
	// CheckSpec and CheckStatus refuse leftovers that restore what the new side would not accept, or that say
	// something else than the old object shows.
	CheckSpec   func(Of[OldSpec, OldStatus], *Spec) error
	CheckStatus func(Of[OldSpec, OldStatus], *Status) error

	// Field is status.claimbridgeLeftover of the old object: nil when there is no allocation to complete.
	Field func(*OldStatus) *string
	// Mark is the same field, whether there is an allocation or not.
	Mark func(*OldStatus) *string
	// Defaults are set in the parts of the old object, which may be nil.
	Defaults func(*OldSpec, *OldStatus)
	// NamesNoRequest is set where an allocation of the old side does not say which request it is for.
	NamesNoRequest bool
	// RefuseOld and RefuseNew say which field of a claim of the old side, or of the new one, is beyond a limit of its version
	// that holds for what completes a claim, too: it would not come back. Both may be absent.
	RefuseOld func(Of[OldSpec, OldStatus]) error
	RefuseNew func(Of[NewSpec, NewStatus]) error
	// Lost names what the old side says and the new side has no home for.
	Lost func(Of[OldSpec, OldStatus]) []string
	// Inspect finds entries of ours in the new object that are malformed or out of place.
	Inspect func(Of[NewSpec, NewStatus]) []leftover.Finding
	// Moves say in words which fields of the old version are found where in the new one, in the order of the old
	// version. What is not listed keeps its path.
	Moves []Move
}

// NewOnly is what the newer side of a step can say and the older cannot: a spec part and a status part, nil when
// nothing is left over.
type NewOnly[Spec, Status any] struct {
	Spec   *Spec
	Status *Status
	// Settled is set when the status is known to have nothing left over, as opposed to nothing being known.
	Settled bool
}

// Move is a field of the old version, where it is found in the new one, and a note.
type Move struct{ Old, New, Note string }
