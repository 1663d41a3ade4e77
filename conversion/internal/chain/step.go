package chain

import "github.com/claimbridge/claimbridge/conversion/internal/leftover"

// Step joins two neighbouring versions, both directions side by side. Its functions are pure and
// total: no clock, no client, no error, and what they are given is not changed; what they give may
// share memory with it. What only the older side can say is stored natively in the new object. What
// only the newer side can say is not the step's business.
type Step struct {
	Old, New           string // the versions
	OldParts, NewParts Parts

	Up, Down func(Claim) Claim
	// Moves say in words which fields of the old version are found where in the new one, in the order of the old
	// version. What is not listed keeps its path.
	Moves []Move

	// Mark is status.claimbridgeLeftover of the old side, and nil where both sides can say the
	// same: then the three below are absent, too.
	Mark func(status any) *string
	// Allocated reports whether there is an allocation.
	Allocated func(status any) bool
	// Defaults are set in the parts of the old object, which may be nil.
	Defaults func(spec, status any)
	// NamesNoRequest is set where an allocation of the old side does not say which request it is for.
	NamesNoRequest bool

	// RefuseOld and RefuseNew say which field of a claim of the old side, or of the new one, is
	// beyond a limit of its version that holds for what completes a claim, too: it would not come
	// back. Both may be absent.
	RefuseOld, RefuseNew func(Claim) error
	// Lost names what the old side says and the new side has no home for; it may be absent.
	Lost func(old Claim) []string
	// Inspect finds entries of claimbridge in the new object that are malformed or out of place, and may
	// be this step's own work; absent where the step makes none.
	Inspect func(new Claim, own bool) []leftover.Finding
}

// Move is a field of the old version, where it is found in the new one, and a note.
type Move struct{ Old, New, Note string }

// mark of an old object is nil where it has no status.
func (s *Step) mark(old Claim) *string {
	if old.Status == nil {
		return nil
	}
	return s.Mark(old.Status)
}

func (s *Step) allocated(old Claim) bool { return old.Status != nil && s.Allocated(old.Status) }

// completed is a copy of an old claim, which shares nothing with it, with the defaults of its version.
func (s *Step) completed(old Claim) Claim {
	copied, _, err := s.OldParts.read(old.Form, textOf(old.Spec), textOf(old.Status), nil)
	if err != nil {
		return old // it was read before
	}
	if old.Spec == nil {
		copied.Spec = nil
	}
	if old.Status == nil {
		copied.Status = nil
	}
	s.Defaults(copied.Spec, copied.Status)
	return copied
}
