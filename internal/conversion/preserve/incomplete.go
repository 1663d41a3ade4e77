package preserve

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/claimbridge/claimbridge/api"
)

// missingParts says which preserved data a copy lacks.
type missingParts struct {
	spec, status bool
	// devices is set for the status of a claim that is not allocated: it has only reports of devices.
	devices bool
	// bytes is the size of the data that did not fit.
	bytes int
}

// partsByLabel has the missing parts by the value of the label claimbridge.dev/incomplete.
var partsByLabel = map[string]missingParts{
	"spec":             {spec: true},
	"status":           {status: true},
	"both":             {spec: true, status: true},
	"devices":          {devices: true},
	"spec-and-devices": {spec: true, devices: true},
}

// String returns the value of the label, or "" if nothing is missing.
func (m missingParts) String() string {
	m.bytes = 0
	for name, parts := range partsByLabel {
		if parts == m {
			return name
		}
	}
	return ""
}

// takeIncompleteLabels removes the labels and returns what they say. Both parts are missing if the value is unknown.
func takeIncompleteLabels(o *Object) missingParts {
	labels := &o.Metadata.Labels
	value, found := labels.Get(IncompleteLabel)
	if !found {
		return missingParts{}
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

// mark sets the labels if something is missing. It returns the value of the first one.
func (m missingParts) mark(o *Object) string {
	value := m.String()
	if value != "" {
		o.Metadata.Labels.Set(IncompleteLabel, value)
		o.Metadata.Labels.Set(IncompleteBytesLabel, strconv.Itoa(m.bytes))
	}
	return value
}

// MarkTooLarge marks a copy of an object that is larger than any stored one: nothing of it is preserved. It returns
// the value of the label claimbridge.dev/incomplete.
func MarkTooLarge(o *Object, bytes int, hasStatus, isAllocated bool) string {
	m := missingParts{spec: true, status: isAllocated, devices: hasStatus && !isAllocated, bytes: bytes}
	return m.mark(o)
}

// RestoreIncompleteLabels sets the labels of an incomplete copy again. The copy is converted to another older version,
// which lacks the same data. It returns the value of the label claimbridge.dev/incomplete.
func (e *Extracted) RestoreIncompleteLabels(o *Object) string { return e.missing.mark(o) }

// CheckComplete returns an error that wraps [ErrIncomplete] if the copy lacks a part that the
// stored object still needs. It needs the spec, if the copy has one. It needs the status if
// status.claimbridgeLeftover is not valid: an allocated claim its whole status, another claim its
// device reports. It needs nothing if the write deletes the object. A deletionTimestamp alone
// changes nothing: finalizers keep the object, and its consumers need its content.
func (e *Extracted) CheckComplete(o *Object, hasSpec, hasStatus, isAllocated bool) error {
	needed := missingParts{
		spec:    e.missing.spec && hasSpec,
		status:  e.missing.status && isAllocated && !e.fieldIsValid,
		devices: e.missing.devices && hasStatus && !isAllocated && !e.fieldIsValid,
	}
	if o.IsDeletedByWrite || needed == (missingParts{}) {
		return nil
	}
	remedy := ""
	if e.digestDiffers {
		remedy = fmt.Sprintf("keep the label %s as you read it, or ", IncompleteDigest)
	}
	stored := api.Stored().Name
	return fmt.Errorf("%w: this copy lacks the %s %s: data of %d bytes did not fit into the annotations (limit %d bytes "+
		"in total); %supdate the object through %s", ErrIncomplete, stored, needed.inWords(), e.missing.bytes,
		maxAnnotations, remedy, stored)
}

// inWords names the parts in a message.
func (m missingParts) inWords() string {
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
