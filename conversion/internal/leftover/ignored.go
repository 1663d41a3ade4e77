package leftover

import (
	"strings"

	"github.com/claimbridge/claimbridge/internal/names"
)

// Ignored is a leftover that could not be used.
type Ignored struct {
	Kind       Kind
	Field, Why string
	Stale      bool // well-formed, but completing something else
}

// String is the field and why.
func (i Ignored) String() string { return i.Field + ": " + i.Why }

// Beaten tells a leftover of a status that an edit beat, as it should, from one that somebody broke or forged.
func (i Ignored) Beaten() bool { return i.Stale && i.Kind == Status }

// Ignore a leftover, and say so.
func (l *Leftovers) Ignore(i Ignored) { l.Ignored = append(l.Ignored, i) }

// IsKey reports whether an annotation is one of ours, of whatever step.
func IsKey(name string) bool {
	return strings.HasPrefix(name, names.Domain+"/") && (strings.Contains(name, "-not-in-") || name == KeySpec || name == KeyStatus)
}

// Sweep removes what is ours and was not consumed, at the end of the chain.
func (l *Leftovers) Sweep() {
	l.Meta.Annotations.DeleteFunc(func(key string) bool {
		if IsKey(key) {
			l.Ignore(Ignored{Kind: Spec, Field: l.Path + "annotations[" + key + "]", Why: "no step of the conversion consumes it; remove it"})
		}
		return IsKey(key)
	})
}
