package leftover

import (
	"fmt"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// Open reads a part strictly. A part that is malformed or that completes another content than the one that is there
// is not used: an edit beats a leftover.
func Open[T any](l *Leftovers, c kjson.Codec, p *Found, kind Kind, visible any, check func(*T) error) *T {
	if p.Digest != Digest(visible) {
		l.Ignore(Ignored{kind, p.Path, fmt.Sprintf("the %s part completes another %s than the one that is there", kind, kind), true})
		return nil
	}
	value, problem := new(T), ""
	if !kjson.ReadStrictly(c, p.Value, value) {
		problem = fmt.Sprintf("the %s part is malformed", kind)
	} else if err := check(value); err != nil {
		problem = fmt.Sprintf("the %s part is malformed: %v", kind, err)
	}
	if problem == "" {
		return value
	}
	l.Ignore(Ignored{Kind: kind, Field: p.Path, Why: problem})
	if p.Path == FieldPath {
		l.field.broken = problem
	}
	return nil
}
