package lens

import (
	"errors"

	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// look appends what v1alpha1, v1alpha2 or v1alpha3, which have another idea of a claim, show of an
// object of v1. What v1 says beyond them is left out.
func (l *Lens) look(out, stored []byte) ([]byte, error) {
	typed, drop, err := l.typed(stored)
	if err != nil {
		return out, err
	}
	o := conversion.Options{Bare: true}
	if len(drop) == 0 {
		out, _, err = conversion.Append(out, typed, l.view, o)
		return out, plainly(err)
	}
	shown, _, err := conversion.JSON(typed, l.view, o)
	if err != nil {
		return out, plainly(err)
	}
	return rewrite(out, shown, drop)
}

// typed is an object that says what it is, as steps need it. What had to be added is to be dropped again.
func (l *Lens) typed(object []byte) (_ []byte, drop map[string]edit, err error) {
	typed, err := rewrite(nil, object, map[string]edit{
		"apiVersion": says("API version", l.served, l.served),
		"kind":       says("kind", l.kind, l.kind),
	})
	if err != nil {
		return nil, nil, err
	}
	had := kjson.ListMembers(typed)
	for _, says := range []struct{ name, value string }{{"apiVersion", l.served}, {"kind", l.kind}} {
		if kjson.StringOf(had.Get(says.name)) != "" {
			continue
		}
		if drop == nil {
			drop = map[string]edit{}
		}
		drop[says.name] = dropped
		typed = append(kjson.AppendQuoted(kjson.AppendName(typed[:len(typed)-1], says.name), says.value), '}')
	}
	return typed, drop, nil
}

// dropped is an edit that leaves a member out.
func dropped(r *rewriter) bool {
	r.s.Skip()
	return false
}

// plainly is an error of a conversion without the name of the object and of the two versions, of
// which clients know one.
func plainly(err error) error {
	if e, is := errors.AsType[*conversion.Error](err); is {
		return &conversion.DecodeError{Field: e.Field, Why: e.Err.Error()}
	}
	return err
}
