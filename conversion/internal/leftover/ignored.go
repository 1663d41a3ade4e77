package leftover

import "github.com/claimbridge/claimbridge/internal/names"

// Kind is which part of an object travels.
type Kind string

// Kinds of parts.
const (
	Spec   Kind = "spec"
	Status Kind = "status"
)

// Beside a copy travels what is stored, each part in an annotation of its own. The field, of a
// claim's status alone, has the status once more.
const (
	KeySpec   = names.Domain + "/v1-spec"
	KeyStatus = names.Domain + "/v1-status"
	FieldPath = "status.claimbridgeLeftover"
)

// Ignored is something that travelled and could not be used.
type Ignored struct {
	Kind       Kind
	Field, Why string
	Stale      bool // well-formed, but of something else
}

// String is the field and why.
func (i Ignored) String() string { return i.Field + ": " + i.Why }

// Beaten tells a status of something else from what somebody broke or forged.
func (i Ignored) Beaten() bool { return i.Stale && i.Kind == Status }

// Ignore what travelled, and say so.
func (l *Leftovers) Ignore(kind Kind, field, why string) {
	l.Ignored = append(l.Ignored, Ignored{Kind: kind, Field: field, Why: why})
}

// ignoreStale says that what travelled is of something else.
func (l *Leftovers) ignoreStale(kind Kind, why string) {
	l.Ignored = append(l.Ignored, Ignored{Kind: kind, Field: l.pathOf(kind), Why: why, Stale: true})
}

// Malformed is what travelled and cannot be read.
func (l *Leftovers) Malformed(kind Kind) { l.Ignore(kind, l.pathOf(kind), "is malformed") }

// Edited is a spec that is not the one which travels beside it.
func (l *Leftovers) Edited() {
	l.ignoreStale(Spec, "the spec that is there is not the one that it was shown as")
}

func (l *Leftovers) pathOf(kind Kind) string { return l.Path + "annotations[" + keyOf(kind) + "]" }

func keyOf(kind Kind) string {
	if kind == Status {
		return KeyStatus
	}
	return KeySpec
}

// IsKey reports whether an annotation is one of ours.
func IsKey(name string) bool { return name == KeySpec || name == KeyStatus }

// Sweep removes what is ours from an object in a version that says all.
func (l *Leftovers) Sweep() {
	for _, kind := range []Kind{Spec, Status} {
		if _, there := l.Meta.Annotations.TakeOut(keyOf(kind)); there {
			l.Ignore(kind, l.pathOf(kind), "only copies in older versions have it; remove it")
		}
	}
}
