package leftover

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/internal/names"
)

// maxAnnotations is the limit of kube-apiserver for the sum of the bytes of all keys and values of an object's
// annotations (apimachinery pkg/api/validation, TotalAnnotationSizeLimitB). It is checked on reads too, after
// conversion: one byte more and the object cannot be read or listed in that version.
const maxAnnotations = 256 << 10

// A copy that had no room for what is stored says so by labels, which have no limit in sum.
const (
	LabelIncomplete     = names.Domain + "/incomplete"       // spec, status or both; devices or spec-and-devices
	LabelIncompleteSize = names.Domain + "/incomplete-bytes" // what was to be carried, in bytes
	// IncompleteDigest is a label, and an annotation where there is room for it. It is the digest
	// of a spec that is preserved in the field, because it does not fit into annotations. Either is
	// enough: clients that replace all labels mostly keep the annotations.
	IncompleteDigest = names.Domain + "/incomplete-digest"
)

// ErrIncomplete is when a copy that lacks what is stored would have to be written back.
var ErrIncomplete = errors.New("incomplete copy")

// incomplete says which parts of what is stored a copy lacks.
type incomplete struct {
	spec, status bool
	// devices is the status of a claim without an allocation, which has nothing but what is reported of devices.
	devices bool
	bytes   int
}

// incompleteParts by their names. What another release calls otherwise may be any.
var incompleteParts = map[string]incomplete{
	"spec": {spec: true}, "status": {status: true}, "both": {spec: true, status: true},
	"devices": {devices: true}, "spec-and-devices": {spec: true, devices: true},
}

func (i incomplete) String() string {
	i.bytes = 0
	for name, parts := range incompleteParts {
		if parts == i {
			return name
		}
	}
	return ""
}

// fits reports whether an annotation of ours may be added, by the bytes of its key and its value.
func (l *Leftovers) fits(more int) bool {
	return l.UnlimitedAnnotations || l.Meta.Annotations.AtMost()+more <= maxAnnotations ||
		l.Meta.Annotations.Size()+more <= maxAnnotations
}

// TakeIncomplete removes the labels and remembers what they say.
func (l *Leftovers) TakeIncomplete() {
	l.labelDigest, _ = l.Meta.Labels.Get(IncompleteDigest)
	l.Meta.Labels.Delete(IncompleteDigest)
	if quoted, ok := l.Meta.Annotations.TakeOut(IncompleteDigest); ok {
		l.annotationDigest = kjson.StringOf(quoted)
	}
	value, ok := l.Meta.Labels.Get(LabelIncomplete)
	if !ok {
		return
	}
	if l.missing, ok = incompleteParts[value]; !ok {
		l.missing = incompleteParts["both"]
	}
	size, _ := l.Meta.Labels.Get(LabelIncompleteSize)
	l.missing.bytes, _ = strconv.Atoi(size)
	l.Meta.Labels.Delete(LabelIncomplete)
	l.Meta.Labels.Delete(LabelIncompleteSize)
}

// PutIncomplete sets the labels, and gives what the first of them says.
func (l *Leftovers) PutIncomplete() string {
	value := l.missing.String()
	if value != "" {
		l.Meta.Labels.Set(LabelIncomplete, value)
		l.Meta.Labels.Set(LabelIncompleteSize, strconv.Itoa(l.missing.bytes))
	}
	return value
}

// Lack all of an object of so many bytes, which is more than is ever stored.
func (l *Leftovers) Lack(bytes int, status, allocated bool) {
	l.missing = incomplete{spec: true, status: allocated, devices: status && !allocated, bytes: bytes}
}

// Forget what a copy lacked: it was not needed.
func (l *Leftovers) Forget() { l.missing = incomplete{} }

// RefuseIncomplete refuses to write a copy back where the part it lacks is still needed: the spec
// always is, the status only while there is an allocation that its own field does not complete, or
// still none, and nothing is on an object that this write deletes. A deletionTimestamp alone
// changes nothing: finalizers keep the object, and its users still need its content.
func (l *Leftovers) RefuseIncomplete(hasSpec, hasStatus, hasAllocation bool) error {
	need := incomplete{
		spec:    l.missing.spec && hasSpec,
		status:  l.missing.status && hasAllocation && !l.field,
		devices: l.missing.devices && hasStatus && !hasAllocation && !l.field,
	}
	if l.DeletedByWrite || need == (incomplete{}) {
		l.missing = incomplete{}
		return nil
	}
	remedy := ""
	if l.digestDiffers {
		remedy = fmt.Sprintf("keep the label %s as it was read, or ", IncompleteDigest)
	}
	return fmt.Errorf("%w: this copy lacks the %s part of what only newer versions can say (%d bytes, which do not fit "+
		"beside the object's annotations: the API server allows %d bytes in sum); "+
		"%swrite the object through %s instead",
		ErrIncomplete, need, l.missing.bytes, maxAnnotations, remedy, api.Stored().Name)
}
