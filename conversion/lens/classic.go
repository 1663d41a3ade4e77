package lens

import (
	"errors"

	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/conversion/internal/merge"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// v1alpha1, v1alpha2 and v1alpha3 have another idea of a claim. Package conversion has the steps between them and v1: what they
// say beyond v1 becomes entries of configuration, within the limits that API servers have for these, and is found there going down.
// What v1 says beyond them stays in the stored object.

// classicWay converts by steps.
type classicWay struct {
	*Lens
	toStored, toShown map[string]edit
}

func newClassicWay(l *Lens) classicWay {
	return classicWay{
		Lens:    l,
		toShown: map[string]edit{"apiVersion": says("API version", l.stored, l.stored), "kind": says("kind", l.kind, l.kind)},
		toStored: map[string]edit{"apiVersion": says("API version", l.shown, l.shown), "kind": says("kind", l.kind, l.kind),
			"metadata": metadataUp(l.stored, false)},
	}
}

func (w classicWay) down(out, stored []byte) ([]byte, error) {
	typed, drop, err := w.typed(stored, w.toShown, w.stored)
	if err != nil {
		return out, err
	}
	o := conversion.Options{Bare: true}
	if len(drop) == 0 {
		out, _, err = conversion.Append(out, typed, w.version, o)
		return out, plainly(err)
	}
	shown, _, err := conversion.JSON(typed, w.version, o)
	if err != nil {
		return out, plainly(err)
	}
	return rewrite(out, shown, drop)
}

func (w classicWay) up(out, object []byte, as form) ([]byte, error) {
	typed, _, err := w.typed(object, w.toStored, w.shown)
	if err != nil {
		return out, err
	}
	o := conversion.Options{Bare: true, AnnotationsOnly: true, Request: as.request, Fragment: as.fragment, OmitDefaults: as.fragment}
	up, report, err := conversion.Append(out, typed, conversion.Stored(), o)
	if err != nil {
		return out, plainly(err)
	}
	for _, lost := range report.Lost {
		if lost == deallocation {
			return out, refuse(lost, "v1 has no field for it: let the driver deallocate the claim, or clear status.allocation and this field in one write")
		}
	}
	return up, nil
}

// deallocation is the one field that makes a write impossible where v1 is stored: no driver's controller would see it there.
const deallocation = "status.deallocationRequested"

// typed is an object that says what it is, as steps need it. What had to be added is to be dropped again.
func (w classicWay) typed(object []byte, edits map[string]edit, apiVersion string) (_ []byte, drop map[string]edit, err error) {
	typed, err := rewrite(nil, object, edits)
	if err != nil {
		return nil, nil, err
	}
	had := merge.MembersOf(typed)
	for _, says := range []struct{ name, value string }{{"apiVersion", apiVersion}, {"kind", w.kind}} {
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

// plainly is an error of a conversion without the name of the object and of the two versions, of which clients know one.
func plainly(err error) error {
	var e *conversion.Error
	if errors.As(err, &e) {
		return &conversion.DecodeError{Field: e.Field, Why: e.Err.Error()}
	}
	return err
}
