package leftover

import (
	"strings"

	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/internal/names"
)

// Beside a copy in a version that cannot say all travels what is stored, each part in an annotation of its own: the spec as it is, the
// status with the uid of the claim whose it is. The field has the status once more.
//
//	               written on a write of   main                    /status
//	annotations                            the client's            the stored copy's
//	field                                  the stored copy's       the client's, or dropped
//
// So on each write one of both is honest. The field counts; where a client drops it, or breaks it, the annotation does, which that write
// could not touch.
const (
	KeySpec   = names.Domain + "/v1-spec"
	KeyStatus = names.Domain + "/v1-status"
)

// What the field says: the stored status, or that nothing travels.
const (
	saysStatus  = "v1:"
	saysNothing = saysStatus + "nothing"
)

// Stored is what travels beside a copy: parts of the stored object as they are written there, nil where nothing travels.
type Stored struct {
	Spec, Status []byte
	// InField is set when the status was in the field, which a server wrote: what is not known of it is no reason to pass over the rest.
	InField bool
}

// HasEarlier reports whether something travels beside a copy as releases up to 0.2 wrote it: what each step left over. Where the field
// or an annotation is of this release, it counts.
func (l *Leftovers) HasEarlier(field *string, keys []Key) bool {
	_, spec := l.Meta.Annotations.Get(KeySpec)
	_, status := l.Meta.Annotations.Get(KeyStatus)
	if spec || status || field != nil && strings.HasPrefix(*field, saysStatus) {
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

// TakeStored removes what travels from a copy, which has a status where there is a field.
func (l *Leftovers) TakeStored(field *string) (s Stored) {
	if quoted, ok := l.Meta.Annotations.TakeOut(KeySpec); ok {
		s.Spec, _ = kjson.AppendUnquoted(nil, quoted)
	}
	var brought []byte
	quoted, there := l.Meta.Annotations.TakeOut(KeyStatus)
	if there {
		brought, _ = kjson.AppendUnquoted(nil, quoted)
	}
	if field == nil { // and so no status
		if there {
			l.Ignore(Ignored{Kind: Status, Field: l.pathOf(Status), Why: "there is no status", Stale: true})
		}
		return s
	}
	given := *field
	*field = ""
	status, found := strings.CutPrefix(given, saysStatus)
	if _, _, err := kjson.Members([]byte(status)); found && err == nil {
		s.Status, s.InField = []byte(status), true
	}
	if l.field.there = s.InField || given == saysNothing; l.field.there {
		if there && (s.Status == nil || string(brought) != l.withUID(s.Status)) {
			l.statusOf(brought, "it is not what "+FieldPath+" has")
		}
		return s
	}
	if given != "" {
		l.Ignore(Ignored{Kind: Status, Field: FieldPath, Why: "is malformed"})
	}
	if there {
		s.Status = l.statusOf(brought, "")
	}
	return s
}

// withUID is a status as an annotation has it.
func (l *Leftovers) withUID(status []byte) string {
	return `{"uid":` + string(kjson.Quote(l.UID)) + `,"status":` + string(status) + `}`
}

// statusOf a claim, in an annotation, unless something is said against it. Of another claim it says nothing.
func (l *Leftovers) statusOf(brought []byte, against string) []byte {
	members, _, err := kjson.Members(brought)
	status := kjson.Get(members, "status")
	switch {
	case err != nil || len(status) == 0:
		l.Malformed(Status)
		return nil
	case kjson.StringOf(kjson.Get(members, "uid")) != l.UID:
		l.Ignore(Ignored{Kind: Status, Field: l.pathOf(Status), Why: "the status is that of another claim", Stale: true})
		return nil
	case against != "":
		l.Ignore(Ignored{Kind: Status, Field: l.pathOf(Status), Why: against})
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

// Malformed is what travels and cannot be read.
func (l *Leftovers) Malformed(kind Kind) {
	l.Ignore(Ignored{Kind: kind, Field: l.pathOf(kind), Why: "is malformed"})
}

// Edited is a spec that is not the one which travels beside it.
func (l *Leftovers) Edited() {
	l.Ignore(Ignored{Kind: Spec, Field: l.pathOf(Spec), Why: "the spec part completes another spec than the one that is there", Stale: true})
}

// PutStored adds to a copy what travels. The field is nil where the copy gets none.
func (l *Leftovers) PutStored(s Stored, field *string, allocated bool) {
	l.Meta.Annotations.Delete(KeySpec)
	l.Meta.Annotations.Delete(KeyStatus)
	if s.Spec != nil && !l.bring(KeySpec, Spec, string(s.Spec)) {
		l.missing.spec = true
		l.missing.bytes += len(s.Spec)
	}
	says := saysNothing
	if s.Status != nil {
		says = saysStatus + string(s.Status)
		if field != nil && l.ReportCarried {
			l.Carried = append(l.Carried, carried(FieldPath, Status, len(s.Status)))
		}
		if value := l.withUID(s.Status); !l.bring(KeyStatus, Status, value) {
			l.missing.status, l.missing.devices = allocated, !allocated
			l.missing.bytes += len(value)
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
