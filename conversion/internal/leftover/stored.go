package leftover

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/internal/names"
)

// Beside a copy in a version that cannot say all travels what is stored, each part in an annotation of its own: the spec as it is, the
// status with the uid of the claim whose it is. The field has a mark of the status' annotation.
//
//	               written on a write of   main                    /status
//	annotations                            the client's            the stored copy's
//	field                                  the stored copy's       the client's, or dropped
//
// So on each write one of both is honest. A main write that changes the annotation of the status is refused, by the mark; a status
// write can change the mark, which is refused, or drop it, and then the annotation counts, which it could not touch.
const (
	KeySpec   = names.Domain + "/v1-spec"
	KeyStatus = names.Domain + "/v1-status"
)

// What the field says: nothing travels, or the mark of what does, or that itself where annotations have no room for it. Then a client
// that drops the field is refused, by a label.
const (
	markOf      = "v1:"
	markNothing = markOf + "nothing"
)

// Stored is what travels beside a copy: parts of the stored object as they are written there, nil where nothing travels.
type Stored struct{ Spec, Status []byte }

// mark of the annotation of a status.
func mark(value string) string {
	sum := sha256.Sum256(kjson.BytesOf(value))
	return markOf + hex.EncodeToString(sum[:digestSize])
}

// HasEarlier reports whether something travels beside a copy as releases up to 0.2 wrote it: what each step left over. Where the field
// or an annotation is of this release, it counts.
func (l *Leftovers) HasEarlier(field *string, keys []Key) bool {
	_, spec := l.Meta.Annotations.Get(KeySpec)
	_, status := l.Meta.Annotations.Get(KeyStatus)
	if spec || status || field != nil && strings.HasPrefix(*field, markOf) {
		return false
	}
	return field != nil && strings.HasPrefix(strings.TrimSpace(*field), "{") || l.HasEarlierKey(keys)
}

// HasEarlierKey reports whether there is an annotation of such a release.
func (l *Leftovers) HasEarlierKey(keys []Key) bool {
	for _, key := range keys {
		if _, there := l.Meta.Annotations.Get(key.Annotation); there {
			return true
		}
	}
	return false
}

// TakeStored removes what travels from a copy, which has a status where there is a field for the mark.
func (l *Leftovers) TakeStored(field *string) (s Stored) {
	if quoted, ok := l.Meta.Annotations.TakeOut(KeySpec); ok {
		s.Spec, _ = kjson.AppendUnquoted(nil, quoted)
	}
	quoted, there := l.Meta.Annotations.TakeOut(KeyStatus)
	var value []byte
	if there {
		value, _ = kjson.AppendUnquoted(nil, quoted)
	}
	if field == nil { // and so no status: what is said of one was brought
		if there {
			l.Ignore(Ignored{Kind: Status, Field: l.Path + "annotations[" + KeyStatus + "]", Why: "there is no status", Stale: true})
		}
		return s
	}
	given := *field
	*field = ""
	l.field.there = given != ""
	switch {
	case given == markNothing && !there:
		return s
	case strings.HasPrefix(given, markOf+"{") && !there:
		s.Status = l.statusOf([]byte(given[len(markOf):]), true)
		return s
	case given != "" && !there:
		l.Break(FieldPath, "it says that a status travels in the annotation "+KeyStatus+", which is not there")
		return s
	case given != "" && given != mark(string(value)):
		l.Break(FieldPath, "it is not of the annotation "+KeyStatus+" that is there")
		return s
	case !there:
		return s
	}
	s.Status = l.statusOf(value, given != "")
	return s
}

// statusOf a claim, in an annotation. Of another claim it says nothing.
func (l *Leftovers) statusOf(value []byte, marked bool) []byte {
	members, _, err := kjson.Members(value)
	status := kjson.Get(members, "status")
	if err != nil || len(status) == 0 {
		l.Malformed(Status)
		return nil
	}
	if kjson.StringOf(kjson.Get(members, "uid")) != l.UID {
		l.Ignore(Ignored{Kind: Status, Field: l.pathOf(Status), Why: "the status is that of another claim", Stale: true})
		if marked {
			l.Break(FieldPath, "it is of another claim's status")
		}
		return nil
	}
	return status
}

func (l *Leftovers) pathOf(kind Kind) string {
	key := KeySpec
	if kind == Status {
		key = KeyStatus
	}
	return l.Path + "annotations[" + key + "]"
}

// Malformed is what travels and cannot be read. Of a status it is not known then what is stored, unless a client brought it.
func (l *Leftovers) Malformed(kind Kind) {
	l.Ignore(Ignored{Kind: kind, Field: l.pathOf(kind), Why: "is malformed"})
	if kind == Status && l.field.there {
		l.Break(l.pathOf(kind), "the annotation is malformed")
	}
}

// Edited is a spec that is not the one which travels beside it.
func (l *Leftovers) Edited() {
	l.Ignore(Ignored{Kind: Spec, Field: l.pathOf(Spec), Why: "the spec part completes another spec than the one that is there", Stale: true})
}

// Break refuses the write of a copy whose stored status is not known.
func (l *Leftovers) Break(path, why string) {
	if l.field.broken == "" {
		l.field.broken, l.field.at = why, path
		l.Ignore(Ignored{Kind: Status, Field: path, Why: why})
	}
}

// PutStored adds to a copy what travels. The field is nil where the copy gets none.
func (l *Leftovers) PutStored(s Stored, field *string, allocated bool) {
	l.Meta.Annotations.Delete(KeySpec)
	l.Meta.Annotations.Delete(KeyStatus)
	if s.Spec != nil && !l.bring(KeySpec, Spec, string(s.Spec)) {
		l.missing.spec = true
		l.missing.bytes += len(s.Spec)
	}
	says := markNothing
	if s.Status != nil {
		value := `{"uid":` + string(kjson.Quote(l.UID)) + `,"status":` + string(s.Status) + `}`
		if says = mark(value); !l.bring(KeyStatus, Status, value) {
			says = markOf + value
			l.missing.status, l.missing.devices = allocated, !allocated
			l.missing.bytes += len(value)
			if l.ReportCarried && field != nil {
				l.Carried = append(l.Carried, carried(FieldPath, Status, len(value)))
			}
		}
	}
	if field != nil {
		*field = says
	}
}

// bring an annotation, if there is room for it.
func (l *Leftovers) bring(key string, kind Kind, value string) bool {
	if !l.fits(len(key) + len(value)) {
		return false
	}
	l.Meta.Annotations.Set(key, value)
	if l.ReportCarried {
		l.Carried = append(l.Carried, carried(l.pathOf(kind), kind, len(value)))
	}
	return true
}
