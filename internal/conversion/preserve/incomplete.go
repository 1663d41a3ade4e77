package preserve

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion/hub"
)

// MissingParts is the preserved data that a copy lacks. The zero value stands for a complete copy.
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

// removeIncompleteLabels removes the labels and returns the missing parts that they name: both parts if the value is
// unknown.
func removeIncompleteLabels(o *Object) MissingParts {
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

// MarkTooLarge marks the copy of an object whose size in bytes exceeds [MaxStored]: nothing of it is preserved. claim
// is the converted claim in the older version, which the copy contains. If the object was an incomplete copy before the
// conversion, missingInSource are the parts that it lacked then. MarkTooLarge returns the value of the label
// claimbridge.dev/incomplete.
func MarkTooLarge(o *Object, claim hub.LossyClaim, size int, missingInSource MissingParts) string {
	_, status := claim.SpecAndStatus()
	m := MissingParts{
		spec:    true,
		status:  claim.IsAllocated(),
		devices: status != nil && !claim.IsAllocated(),
		bytes:   max(size, missingInSource.bytes),
	}
	m.mark(o)
	return m.String()
}

// CheckComplete returns the parts that the stored object still needs and the copy lacks, and an error that wraps
// [ErrIncomplete] if there are any. The spec is needed if the copy has one. The status is needed if
// status.claimbridgeLeftover is not valid: all of it for an allocated claim, otherwise only status.devices. Nothing is
// needed if the write deletes the object. A deletionTimestamp alone changes nothing: finalizers keep the object, and
// its consumers need its content.
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
	size := ""
	if needed.bytes > 0 { // 0 if the client set the label incomplete itself
		size = fmt.Sprintf(" (%d bytes, limit %d bytes)", needed.bytes, maxAnnotations)
	}
	stored := api.Stored().Name
	return needed, fmt.Errorf("%w: the %s %s did not fit into the annotations%s: %supdate the object through %s",
		ErrIncomplete, stored, needed.describe(), size, remedy, stored)
}

// describe names the parts in a message.
func (m MissingParts) describe() string {
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
