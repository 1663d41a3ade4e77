package conversion

import (
	"bytes"
	"slices"

	"github.com/claimbridge/claimbridge/conversion/internal/chain"
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// Opened is an object that was read once, for a caller who looks at its parts and converts it as
// well, such as the rules of package validation. Its parts, and what they are converted to, count
// until it is closed; texts in them may be kept.
type Opened struct {
	w    *workspace
	from int // index of its version
	// claim is what steps convert, and is never changed.
	claim   chain.Claim
	unknown []string
	// converted is set once a conversion has changed the metadata.
	converted bool
}

// Open reads an object of a version of the chain. The error is an *Error. Whoever opens it closes it.
func Open(object []byte) (*Opened, error) {
	o := &Opened{w: workspaces.Get().(*workspace)}
	o.w.asTyped = true
	o.w.text = append(make([]byte, 0, len(object)), object...) // not the workspace's own, which is used again
	if err := o.read(); err != nil {
		err = failure(o.w.object.Header, Stored(), err)
		o.Close()
		return nil, err
	}
	return o, nil
}

func (o *Opened) read() (err error) {
	if err := o.w.readObject(); err != nil {
		return err
	}
	obj := &o.w.object
	if o.from = indexOf(obj.Version); o.from < 0 {
		return checkVersion(obj.Version)
	}
	if err := o.w.load(Options{}); err != nil {
		return err
	}
	o.claim, o.unknown, err = o.w.readClaim(o.from, Options{})
	return err
}

// Close gives back the memory that parts lie in, but for their texts. Nothing else may be asked of
// it after that; closing it again does nothing.
func (o *Opened) Close() {
	w := o.w
	if w == nil {
		return
	}
	w.text = nil
	w.free()
	o.w, o.claim = nil, chain.Claim{}
}

// Header of the object.
func (o *Opened) Header() Header { return o.w.object.Header }

// Unknown are the paths of unknown and duplicate fields outside of metadata.
func (o *Opened) Unknown() []string { return slices.Concat(o.w.object.unknown, o.unknown) }

// Metadata of the object as JSON, and that which a template gives its claims; nil when there is none.
func (o *Opened) Metadata() (object, template []byte) {
	return kjson.Get(o.w.object.Members, "metadata"), kjson.Get(o.w.object.template, "metadata")
}

// Parts are pointers to the claim's spec, of a template the one inside its own, and to its status; nil when absent.
func (o *Opened) Parts() (spec, status any) { return o.claim.Spec, o.claim.Status }

// Convert gives the parts in another version: of this object, but with a status that may be another object's, as an API
// server puts one together from the object before a write and the one that was sent. Options have their meaning for
// [JSON], and so has the error.
func (o *Opened) Convert(status any, version string, options Options) (_, _ any, report Report, err error) {
	w, to := o.w, indexOf(version)
	fail := func(err error) (_, _ any, _ Report, _ error) {
		return nil, nil, report, failure(w.object.Header, version, err)
	}
	if to < 0 {
		return fail(checkVersion(version))
	}
	if o.converted {
		if err := kjson.ReadMetadata(kjson.Get(w.object.Members, "metadata"), &w.object.Metadata); err != nil {
			return fail(kjson.Within("metadata", err))
		}
	}
	o.converted = true
	if err := w.load(options); err != nil {
		return fail(err)
	}
	claim := o.claim
	claim.Status = links.Parts(o.from).CopyOfStatus(status) // the field is taken out of it
	c, err := w.walk(claim, o.from, to, options, &report)
	if err != nil {
		return fail(err)
	}
	return c.Spec, c.Status, report, nil
}

// SameSpec reports whether another object has the same spec, written in the same bytes.
func (o *Opened) SameSpec(as *Opened) bool {
	return bytes.Equal(kjson.Get(o.w.object.Members, "spec"), kjson.Get(as.w.object.Members, "spec"))
}

// ConvertsAs reports whether another object of the same version becomes the same when both are
// converted with one status: all that a conversion looks at is written in the same bytes. It is to
// be asked before any of the two is converted.
func (o *Opened) ConvertsAs(as *Opened) bool {
	a, b := &o.w.object, &as.w.object
	same := func(name string) bool {
		return bytes.Equal(kjson.Get(a.Metadata.Members, name), kjson.Get(b.Metadata.Members, name))
	}
	for _, label := range []string{leftover.LabelIncomplete, leftover.IncompleteDigest} {
		value, isSet := a.Metadata.Labels.Get(label)
		other, isSetThere := b.Metadata.Labels.Get(label)
		if value != other || isSet != isSetThere {
			return false
		}
	}
	return a.Header == b.Header && o.SameSpec(as) && same("annotations") && same("deletionTimestamp") &&
		a.deletedByWrite() == b.deletedByWrite()
}

// DeletedByWrite reports whether an API server that is asked to write the object deletes it instead, since its deletion
// was requested and it has no finalizers.
func (o *Opened) DeletedByWrite() bool { return o.w.object.deletedByWrite() }

// Encode a part of an Opened as JSON: a spec or a status of a version of package api. It panics for anything else.
func Encode(part any) []byte {
	return kjson.Marshal(part)
}
