package preserve

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/internal/schemalimits"
)

// Values of the field status.claimbridgeLeftover.
const (
	statusPrefix  = "v1:"                  // the v1 status follows
	nothing       = "nothing"              // instead of a status: none is preserved
	nothingStored = statusPrefix + nothing // the whole value
	specPrefix    = "v1+spec:"             // an object follows: spec, and status unless the claim has none
)

// Extracted is the preserved data that was removed from a copy.
type Extracted struct {
	Data
	// Ignored is data that was removed and is not used.
	Ignored []Ignored

	// statusInField is set if the status is from the field, which claimbridge wrote. An unknown
	// field in it is no reason to ignore it.
	statusInField bool
	// fieldIsValid is set if the field says what is preserved of the status.
	fieldIsValid bool
	missing      missing
	// digestDiffers is set if the field has a spec of another digest: label and annotation do not belong to the copy.
	digestDiffers bool
}

// digests of a spec in the field, as the label and the annotation have them.
type digests struct{ label, annotation string }

func removeDigests(o *Object) (d digests) {
	d.label, _ = o.Metadata.Labels.Get(IncompleteDigest)
	o.Metadata.Labels.Delete(IncompleteDigest)
	if quoted, found := o.Metadata.Annotations.Remove(IncompleteDigest); found {
		d.annotation = objectjson.StringOf(quoted)
	}
	return d
}

// RemoveMarks removes the labels and the annotation of an incomplete copy from an object that is complete.
func RemoveMarks(o *Object) {
	removeDigests(o)
	removeMissing(o)
}

// Extract removes preserved data from a copy and clears the field, which is nil if the copy has no status.
func Extract(o *Object, field *string) *Extracted {
	d := removeDigests(o)
	t := &Extracted{missing: removeMissing(o)}
	if spec, found := removeAnnotation(o, SpecAnnotation); isObject(spec) && isStorable(spec) {
		t.Spec = spec
	} else if found {
		t.ignoreMalformed(o, Spec)
	}
	inAnnotation, found := removeAnnotation(o, StatusAnnotation)
	if field == nil {
		if found {
			t.ignoreStale(o, Status, "there is no status")
		}
		return t
	}
	value := *field
	*field = ""
	t.readStatus(o, t.readSpecFromField(o, value, d), inAnnotation, found)
	return t
}

// readStatus sets the status from the value of the field, or from the annotation if the field does not have one.
func (t *Extracted) readStatus(o *Object, value string, inAnnotation []byte, hasAnnotation bool) {
	text, found := strings.CutPrefix(value, statusPrefix)
	if found && len(text) <= MaxStored {
		if status := []byte(text); isObject(status) {
			t.Status = status
			t.statusInField = true
		}
	}
	t.fieldIsValid = t.statusInField || t.NoStatus || value == nothingStored
	if t.fieldIsValid {
		isDifferent := t.Status == nil || string(inAnnotation) != o.statusAnnotationValue(t.Status)
		if hasAnnotation && isDifferent {
			t.readAnnotatedStatus(o, inAnnotation, "it is not what "+StatusField+" has")
		}
		return
	}
	if value != "" {
		t.ignore(Status, StatusField, "is malformed")
	}
	if hasAnnotation {
		t.Status = t.readAnnotatedStatus(o, inAnnotation, "")
	}
}

// readSpecFromField sets the spec if the field has one, and returns the value that the field would have without it. The
// spec is missing if neither label nor annotation has its digest: a client replaced both of them, or the field.
func (t *Extracted) readSpecFromField(o *Object, value string, d digests) (withoutSpec string) {
	text, found := strings.CutPrefix(value, specPrefix)
	if !found {
		return value
	}
	members, _, err := objectjson.Members([]byte(text))
	spec := objectjson.Get(members, "spec")
	digest := digestOfSpec(spec)
	isTrusted := digest == d.label || digest == d.annotation || o.LacksUID
	reason := ""
	switch {
	case !isTrusted:
		reason = "its spec does not have the digest in " + IncompleteDigest
		t.digestDiffers = true
	case err != nil || !isObject(spec):
		reason = "its spec is malformed"
	case len(spec) > MaxStored || !isStorable(spec):
		reason = "its spec is larger than any that an API server stores, or has values that it does not store"
	}
	if reason != "" {
		t.Spec = nil
		t.missing.spec = true
		t.missing.bytes = max(t.missing.bytes, len(spec))
		t.ignore(Spec, StatusField, reason)
	} else {
		if t.Spec != nil {
			t.ignore(Spec, o.annotationPath(Spec), "it is not what "+StatusField+" has")
		}
		t.Spec = slices.Clone(spec)
		t.missing.spec = false
	}
	status := objectjson.Get(members, "status")
	switch {
	case status == nil:
		t.NoStatus = err == nil
		return ""
	case objectjson.StringOf(status) == nothing:
		return nothingStored
	}
	return statusPrefix + string(status)
}

func removeAnnotation(o *Object, key string) (value []byte, found bool) {
	limit := maxAnnotations
	if o.HasUnlimitedAnnotations {
		limit = MaxStored
	}
	quoted, found := o.Metadata.Annotations.Remove(key)
	if found && len(quoted) <= 6*limit { // escapes take up to six bytes; a longer value counts as malformed
		value, _ = objectjson.AppendUnquoted(nil, quoted)
	}
	return value, found
}

// readAnnotatedStatus returns the status in an annotation. It returns nil and reports why if the annotation is
// malformed, is of another claim, or is to be ignored for a reason.
func (t *Extracted) readAnnotatedStatus(o *Object, annotation []byte, reason string) []byte {
	members, _, err := objectjson.Members(annotation)
	status := objectjson.Get(members, "status")
	switch {
	case err != nil || !isObject(status):
		t.ignoreMalformed(o, Status)
		return nil
	case objectjson.StringOf(objectjson.Get(members, "uid")) != o.UID:
		t.ignoreStale(o, Status, "the status is that of another claim")
		return nil
	case reason != "":
		t.ignore(Status, o.annotationPath(Status), reason)
		return nil
	}
	return status
}

// statusAnnotationValue returns a status as the annotation has it: with the uid of the claim.
func (o *Object) statusAnnotationValue(status []byte) string {
	return `{"uid":` + string(objectjson.Quote(o.UID)) + `,"status":` + string(status) + `}`
}

func (t *Extracted) ignore(part Part, field, reason string) {
	t.Ignored = append(t.Ignored, Ignored{Part: part, Field: field, Reason: reason})
}

func (t *Extracted) ignoreMalformed(o *Object, part Part) {
	t.ignore(part, o.annotationPath(part), "is malformed")
}

func (t *Extracted) ignoreStale(o *Object, part Part, reason string) {
	t.Ignored = append(t.Ignored, Ignored{Part: part, Field: o.annotationPath(part), Reason: reason, IsStale: true})
}

func isObject(text []byte) bool {
	_, _, err := objectjson.Members(text)
	return err == nil && len(text) > 0 && text[0] == '{'
}

// isStorable reports whether an API server with the schemas of claimbridge stores a spec.
func isStorable(spec []byte) bool {
	counts := schemalimits.Count(spec)
	return !counts.HasInvalidValues() && counts.TooMany() == ""
}

// digestOfSpec returns the SHA-224 of the text of a spec in hexadecimal: 56 characters, and a label allows 63.
func digestOfSpec(text []byte) string {
	sum := sha256.Sum224(text)
	return hex.EncodeToString(sum[:])
}
