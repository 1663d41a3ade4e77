package conversion

import (
	"fmt"
	"strconv"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// maxAnnotations is the limit of kube-apiserver for the sum of the bytes of all keys and values of an object's
// annotations (apimachinery pkg/api/validation, TotalAnnotationSizeLimitB). It is checked on reads too, after
// conversion: one byte more and the object cannot be read or listed in that version.
const maxAnnotations = 256 << 10

// A copy that had no room for its leftovers says so by labels, which have no limit in sum.
const (
	labelIncomplete     = domain + "/incomplete"       // spec, status or both
	labelIncompleteSize = domain + "/incomplete-bytes" // what was to be carried, in bytes
)

// incomplete says which parts of its leftovers a copy lacks.
type incomplete struct {
	spec, status bool
	bytes        int
}

func (i *incomplete) add(lacking annotation, bytes int) {
	i.spec = i.spec || lacking.Spec != nil
	i.status = i.status || lacking.Status != nil
	i.bytes += bytes
}

func (i incomplete) String() string {
	switch {
	case i.spec && i.status:
		return "both"
	case i.spec:
		return "spec"
	case i.status:
		return "status"
	}
	return ""
}

// fits tells whether an annotation of ours may be added.
func (c *carriage) fits(key, value string) bool {
	more := len(key) + len(value)
	return c.meta.Annotations.AtMost()+more <= maxAnnotations || c.meta.Annotations.Size()+more <= maxAnnotations
}

// takeIncomplete removes the labels and remembers what they say.
func (c *carriage) takeIncomplete() {
	value, ok := c.meta.Labels.Get(labelIncomplete)
	if !ok {
		return
	}
	c.missing.spec = value != "status"
	c.missing.status = value != "spec"
	size, _ := c.meta.Labels.Get(labelIncompleteSize)
	c.missing.bytes, _ = strconv.Atoi(size)
	c.meta.Labels.Delete(labelIncomplete)
	c.meta.Labels.Delete(labelIncompleteSize)
}

// putIncomplete sets the labels.
func (c *carriage) putIncomplete() {
	value := c.missing.String()
	if value == "" {
		return
	}
	c.report.Incomplete = value
	c.meta.Labels.Set(labelIncomplete, kjson.Quote(value))
	c.meta.Labels.Set(labelIncompleteSize, kjson.Quote(strconv.Itoa(c.missing.bytes)))
}

// refuseIncomplete refuses to write a copy back where the part it lacks is still needed: the spec always is, the
// status only while there is an allocation that its own field does not complete, and nothing is on an object that is
// being deleted.
func (c *carriage) refuseIncomplete(hasSpec, hasAllocation bool) error {
	needSpec := c.missing.spec && hasSpec && !c.deleting
	needStatus := c.missing.status && hasAllocation && !c.field.there && !c.deleting
	if !needSpec && !needStatus {
		c.missing = incomplete{}
		return nil
	}
	return fmt.Errorf("%w: this copy lacks the %s part of what only newer versions can say (%d bytes, which do not fit "+
		"beside the object's annotations: the API server allows %d bytes in sum); write the object through %s instead",
		ErrIncomplete, incomplete{spec: needSpec, status: needStatus}, c.missing.bytes, maxAnnotations, Newest())
}

// refuseUnusable refuses to write a copy back whose field is there but cannot be used. Only a copy with an
// allocation has one. On a main write the field is the server's own: passing over it would change the stored status.
func (c *carriage) refuseUnusable(to int) error {
	if c.field.broken == "" && to == len(versions)-1 && len(c.field.parts) > 0 {
		c.field.broken = "it has a part that no step of the conversion to " + Newest() + " consumes"
	}
	if c.field.broken == "" || c.deleting {
		return nil
	}
	return &unusableError{field: leftoverField, why: c.field.broken}
}

// unusableError is for a leftover that is needed and cannot be used.
type unusableError struct{ field, why string }

func (e *unusableError) Error() string {
	return fmt.Sprintf("%v: %s, so it is not known what else newer versions say of the allocation; write the field as it was "+
		"read, or write the object through %s", ErrIncomplete, e.why, Newest())
}

func (e *unusableError) Unwrap() error { return ErrIncomplete }
