package preserve

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/claimbridge/claimbridge/api"
)

// MissingParts says which preserved data a copy lacks. The zero value means that it is complete.
type MissingParts struct {
	spec, status bool
	// devices is set for the status of a claim that is not allocated: it has only status.devices.
	devices bool
	// bytes is the size of the data that did not fit.
	bytes int
}

// partsByLabel has the missing parts by the value of the label claimbridge.dev/incomplete.
var partsByLabel = map[string]MissingParts{
	"spec":             {spec: true},
	"status":           {status: true},
	"both":             {spec: true, status: true},
	"devices":          {devices: true},
	"spec-and-devices": {spec: true, devices: true},
}

// String returns the value of the label, or "" if nothing is missing.
func (m MissingParts) String() string {
	m.bytes = 0
	for name, parts := range partsByLabel {
		if parts == m {
			return name
		}
	}
	return ""
}

// takeIncompleteLabels removes the labels and returns what they say. Both parts are missing if the value is unknown.
func takeIncompleteLabels(o *Object) MissingParts {
	labels := &o.Metadata.Labels
	value, found := labels.Get(IncompleteLabel)
	if !found {
		return MissingParts{}
	}
	parts, isKnown := partsByLabel[value]
	if !isKnown {
		parts = partsByLabel["both"]
	}
	size, _ := labels.Get(IncompleteBytesLabel)
	parts.bytes, _ = strconv.Atoi(size)
	labels.Delete(IncompleteLabel)
	labels.Delete(IncompleteBytesLabel)
	return parts
}

// mark sets the labels if something is missing.
func (m MissingParts) mark(o *Object) {
	if value := m.String(); value != "" {
		o.Metadata.Labels.Set(IncompleteLabel, value)
		o.Metadata.Labels.Set(IncompleteBytesLabel, strconv.Itoa(m.bytes))
	}
}

// MarkTooLarge marks a copy of an object that is larger than any stored one: nothing of it is preserved. The object may
// already lack parts. MarkTooLarge returns the value of the label claimbridge.dev/incomplete.
func MarkTooLarge(o *Object, bytes int, hasStatus, isAllocated bool, lacking MissingParts) string {
	m := MissingParts{
		spec: true, status: isAllocated, devices: hasStatus && !isAllocated, bytes: max(bytes, lacking.bytes),
	}
	m.mark(o)
	return m.String()
}

// CheckComplete returns the parts that the stored object still needs and the copy lacks, and an error that wraps
// [ErrIncomplete] if there are any. It needs the spec, if the copy has one. It needs the status if
// status.claimbridgeLeftover is not valid: an allocated claim its whole status, another claim its status.devices. It
// needs nothing if the write deletes the object. A deletionTimestamp alone changes nothing: finalizers keep the object,
// and its consumers need its content.
func (e *Extracted) CheckComplete(o *Object, hasSpec, hasStatus, isAllocated bool) (MissingParts, error) {
	needed := MissingParts{
		spec:    e.missing.spec && hasSpec,
		status:  e.missing.status && isAllocated && !e.isFieldValid,
		devices: e.missing.devices && hasStatus && !isAllocated && !e.isFieldValid,
	}
	if o.IsDeletedDuringUpdate || needed == (MissingParts{}) {
		return MissingParts{}, nil
	}
	needed.bytes = e.missing.bytes
	if e.isFieldValid && (e.missing.status || e.missing.devices) && e.Status != nil {
		needed.bytes = max(0, needed.bytes-len(o.statusAnnotationValue(e.Status)))
	}
	remedy := ""
	if e.digestDiffers {
		remedy = fmt.Sprintf("keep the label %s as you read it, or ", IncompleteDigest)
	}
	stored := api.Stored().Name
	return needed, fmt.Errorf("%w: the %s %s did not fit into the annotations (%d bytes, limit %d bytes): %supdate the "+
		"object through %s", ErrIncomplete, stored, needed.inWords(), needed.bytes, maxAnnotations, remedy, stored)
}

// inWords names the parts in a message.
func (m MissingParts) inWords() string {
	var parts []string
	for _, part := range []struct {
		isMissing bool
		name      string
	}{
		{m.spec, "spec"}, {m.status, "status"}, {m.devices, "device status"},
	} {
		if part.isMissing {
			parts = append(parts, part.name)
		}
	}
	return strings.Join(parts, " and ")
}
