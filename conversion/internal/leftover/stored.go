package leftover

import (
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/internal/odd"
)

// Who writes what, and so why the status travels twice:
//
//	               on a write of   main                    /status
//	annotations                    the client's            the stored copy's
//	field                          the stored copy's       the client's, or dropped by a typed client
//
// On each write one of both is honest. The field counts. Where a client drops it, or breaks it, the
// annotation does, which that write could not touch.
//
// A spec that does not fit into the annotations is in the field, and its digest is a label, and an
// annotation where that fits. On each write either the field or these are honest as well, and the
// spec counts only if they agree. So a client cannot write another spec by /status, and a write of
// the main resource cannot drop the spec.

// What the field says: the stored status, or that nothing travels. Where the annotations have no room for the spec it
// says both, as an object: "spec" is the stored spec, and "status" the stored status, or "nothing", or absent where the
// stored claim has no status.
const (
	saysStatus  = "v1:"
	nothing     = "nothing"
	saysNothing = saysStatus + nothing
	saysSpec    = "v1+spec:"
)

// MostStored is the size limit, in bytes, of what is taken from a copy. An API server reads no
// request of more than 3 MiB, so no stored object is larger. In v1 an object that is stored in an
// older version is at most four times as large.
const MostStored = 4 * 3 << 20

// Stored is what travels beside a copy: parts of the stored object as they are written there, nil
// where nothing travels.
type Stored struct {
	Spec, Status []byte
	// InField is set when the status was in the field, which a server wrote: what is not known of
	// it is no reason to pass over the rest.
	InField bool
	// NoStatus is set when the stored claim has no status, and the copy has one only for the field.
	NoStatus bool
}

// Take removes what travels from a copy. The field is nil where there is no status.
func (l *Leftovers) Take(field *string) (s Stored) {
	if spec, there := l.takeAnnotation(KeySpec); isObject(spec) && isStorable(spec) {
		s.Spec = spec
	} else if there {
		l.Malformed(Spec)
	}
	brought, there := l.takeAnnotation(KeyStatus)
	if field == nil {
		if there {
			l.ignoreStale(Status, "there is no status")
		}
		return s
	}
	given := *field
	*field = ""
	if both, found := strings.CutPrefix(given, saysSpec); found {
		given = l.takeSpec(both, &s)
	}
	status, found := strings.CutPrefix(given, saysStatus)
	if found && len(status) <= MostStored && isObject(kjson.BytesOf(status)) {
		s.Status, s.InField = []byte(status), true
	}
	if l.field = s.InField || s.NoStatus || given == saysNothing; l.field {
		if there && (s.Status == nil || string(brought) != l.withUID(s.Status)) {
			l.statusOf(brought, "it is not what "+FieldPath+" has")
		}
		return s
	}
	if given != "" {
		l.Ignore(Status, FieldPath, "is malformed")
	}
	if there {
		s.Status = l.statusOf(brought, "")
	}
	return s
}

// takeSpec takes the spec out of a field that has a spec as well as a status, and returns what the
// field says of the status alone. A spec whose digest is in neither label nor annotation is missing
// from the copy: somebody replaced one of the two.
func (l *Leftovers) takeSpec(field string, s *Stored) (status string) {
	members, _, err := kjson.Members(kjson.BytesOf(field))
	spec := kjson.Get(members, "spec")
	digest := digestOfSpec(spec)
	isTrusted := digest == l.labelDigest || digest == l.annotationDigest || l.IsFragment
	if err != nil || len(spec) > MostStored || !isObject(spec) || !isStorable(spec) || !isTrusted {
		l.missing.spec, l.digestDiffers, s.Spec = true, true, nil
		l.missing.bytes = max(l.missing.bytes, len(spec))
		l.Ignore(Spec, FieldPath, "its spec does not have the digest in "+IncompleteDigest)
	} else {
		if s.Spec != nil {
			l.Ignore(Spec, l.pathOf(Spec), "it is not what "+FieldPath+" has")
		}
		l.missing.spec, s.Spec = false, slices.Clone(spec)
	}
	switch text := kjson.Get(members, "status"); {
	case text == nil:
		s.NoStatus = err == nil
		return ""
	case kjson.StringOf(text) == nothing:
		return saysNothing
	default:
		return saysStatus + string(text)
	}
}

func (l *Leftovers) takeAnnotation(key string) (value []byte, there bool) {
	most := maxAnnotations
	if l.UnlimitedAnnotations {
		most = MostStored
	}
	quoted, there := l.Meta.Annotations.TakeOut(key)
	if there && len(quoted) <= 6*most { // with escapes; a longer one counts as malformed
		value, _ = kjson.AppendUnquoted(nil, quoted)
	}
	return value, there
}

func isObject(text []byte) bool {
	_, _, err := kjson.Members(text)
	return err == nil && len(text) > 0 && text[0] == '{'
}

// isStorable tells whether an API server that holds a spec to the schema stores it, so that it can
// have come from there.
func isStorable(spec []byte) bool {
	values := odd.In(spec)
	return values.None() && values.TooMany() == ""
}

// withUID is a status as an annotation has it.
func (l *Leftovers) withUID(status []byte) string {
	before, after := l.around()
	return before + kjson.View(status) + after
}

// around a status in an annotation is the uid.
func (l *Leftovers) around() (before, after string) {
	return `{"uid":` + string(kjson.Quote(l.UID)) + `,"status":`, `}`
}

// statusOf the claim, in an annotation, unless something is said against it. Of another claim it says nothing.
func (l *Leftovers) statusOf(brought []byte, against string) []byte {
	members, _, err := kjson.Members(brought)
	status := kjson.Get(members, "status")
	switch {
	case err != nil || !isObject(status):
		l.Malformed(Status)
		return nil
	case kjson.StringOf(kjson.Get(members, "uid")) != l.UID:
		l.ignoreStale(Status, "the status is that of another claim")
		return nil
	case against != "":
		l.Ignore(Status, l.pathOf(Status), against)
		return nil
	}
	return status
}

// SpecFits reports whether there is room for the spec in an annotation.
func (l *Leftovers) SpecFits(spec []byte) bool { return spec == nil || l.fits(len(KeySpec)+len(spec)) }

// Put adds to a copy what travels. The field is nil where the copy gets none.
func (l *Leftovers) Put(s Stored, field *string, allocated bool) {
	l.Meta.Annotations.Delete(KeySpec)
	l.Meta.Annotations.Delete(KeyStatus)
	specInField := false
	if s.Spec != nil && !l.bring(Spec, "", s.Spec, "") {
		l.missing.spec = true
		l.missing.bytes += len(s.Spec)
		specInField = field != nil
	}
	if specInField {
		l.putDigest(digestOfSpec(s.Spec))
	}
	says := saysNothing
	if s.Status != nil {
		if field != nil {
			says = saysStatus + kjson.View(s.Status)
			l.carry(FieldPath, Status, len(s.Status))
		}
		if before, after := l.around(); !l.bring(Status, before, s.Status, after) {
			l.missing.status, l.missing.devices = allocated, !allocated
			l.missing.bytes += len(before) + len(s.Status) + len(after)
		}
	}
	if specInField {
		l.carry(FieldPath, Spec, len(s.Spec))
		says = withSpec(s)
	}
	if field != nil {
		*field = says
	}
}

func (l *Leftovers) putDigest(digest string) {
	l.Meta.Labels.Set(IncompleteDigest, digest)
	if l.fits(len(IncompleteDigest) + len(digest)) {
		l.Meta.Annotations.Set(IncompleteDigest, digest)
	}
}

// withSpec is what the field says where it has the spec as well.
func withSpec(s Stored) string {
	status := `,"status":` + string(kjson.Quote(nothing))
	switch {
	case s.Status != nil:
		status = `,"status":` + kjson.View(s.Status)
	case s.NoStatus:
		status = ""
	}
	return saysSpec + `{"spec":` + kjson.View(s.Spec) + status + "}"
}

// bring an annotation, if there is room for it; megabytes that do not fit are not copied.
func (l *Leftovers) bring(kind Kind, before string, part []byte, after string) bool {
	key, bytes := keyOf(kind), len(before)+len(part)+len(after)
	if !l.fits(len(key) + bytes) {
		return false
	}
	l.Meta.Annotations.Set(key, before+kjson.View(part)+after)
	l.carry(l.pathOf(kind), kind, bytes)
	return true
}
