package preserve

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/claimbridge/claimbridge/api"
)

// missing says which preserved data a copy lacks.
type missing struct {
	spec, status bool
	// devices is set for the status of a claim that is not allocated: it has only reports of devices.
	devices bool
	// bytes is the size of what was to be preserved.
	bytes int
}

// Values of the label claimbridge.dev/incomplete.
var missingParts = map[string]missing{
	"spec":             {spec: true},
	"status":           {status: true},
	"both":             {spec: true, status: true},
	"devices":          {devices: true},
	"spec-and-devices": {spec: true, devices: true},
}

// String returns the value of the label, or "" if nothing is missing.
func (m missing) String() string {
	m.bytes = 0
	for name, parts := range missingParts {
		if parts == m {
			return name
		}
	}
	return ""
}

// removeMissing removes the labels and returns what they say. Both parts are missing if the value is unknown.
func removeMissing(o *Object) missing {
	labels := &o.Metadata.Labels
	value, found := labels.Get(IncompleteLabel)
	if !found {
		return missing{}
	}
	parts, isKnown := missingParts[value]
	if !isKnown {
		parts = missingParts["both"]
	}
	size, _ := labels.Get(IncompleteBytesLabel)
	parts.bytes, _ = strconv.Atoi(size)
	labels.Delete(IncompleteLabel)
	labels.Delete(IncompleteBytesLabel)
	return parts
}

// mark sets the labels if something is missing. It returns the value of the first one.
func (m missing) mark(o *Object) string {
	value := m.String()
	if value != "" {
		o.Metadata.Labels.Set(IncompleteLabel, value)
		o.Metadata.Labels.Set(IncompleteBytesLabel, strconv.Itoa(m.bytes))
	}
	return value
}

// MarkTruncated marks a copy of an object that is larger than any stored one: nothing of it is preserved. It returns
// the value of the label claimbridge.dev/incomplete.
func MarkTruncated(o *Object, bytes int, hasStatus, isAllocated bool) string {
	m := missing{spec: true, status: isAllocated, devices: hasStatus && !isAllocated, bytes: bytes}
	return m.mark(o)
}

// MarkIncomplete sets the labels of an incomplete copy again. The copy is converted to another older version, which
// lacks the same data. It returns the value of the label claimbridge.dev/incomplete.
func (t *Extracted) MarkIncomplete(o *Object) string { return t.missing.mark(o) }

// CheckComplete returns an error that wraps [ErrIncomplete] if the copy lacks a part that the
// stored object still needs. It needs the spec, if the copy has one. It needs the status if
// status.claimbridgeLeftover is not valid: an allocated claim its whole status, another claim its
// device reports. It needs nothing if the write deletes the object. A deletionTimestamp alone
// changes nothing: finalizers keep the object, and its consumers need its content.
func (t *Extracted) CheckComplete(o *Object, hasSpec, hasStatus, isAllocated bool) error {
	needed := missing{
		spec:    t.missing.spec && hasSpec,
		status:  t.missing.status && isAllocated && !t.fieldIsValid,
		devices: t.missing.devices && hasStatus && !isAllocated && !t.fieldIsValid,
	}
	if o.IsDeletedByWrite || needed == (missing{}) {
		return nil
	}
	remedy := ""
	if t.digestDiffers {
		remedy = fmt.Sprintf("keep the label %s as it was read, or ", IncompleteDigest)
	}
	stored := api.Stored().Name
	return fmt.Errorf("%w: it lacks the %s of the object in %s (%d bytes), for which its annotations have no room (an "+
		"API server allows %d bytes in total); %swrite the object through %s instead",
		ErrIncomplete, needed.inWords(), stored, t.missing.bytes, maxAnnotations, remedy, stored)
}

// inWords names the parts in a message.
func (m missing) inWords() string {
	var parts []string
	for _, part := range []struct {
		isMissing bool
		name      string
	}{
		{m.spec, "spec"}, {m.status, "status"}, {m.devices, "device reports"},
	} {
		if part.isMissing {
			parts = append(parts, part.name)
		}
	}
	return strings.Join(parts, " and ")
}
