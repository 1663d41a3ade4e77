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

	// statusInField is set if the status is from the field.
	statusInField bool
	// isFieldValid is set if the field has the preserved status, or says that there is none.
	isFieldValid bool
	missing      MissingParts
	// digestDiffers is set if the field has a spec whose digest is neither in the label nor in the annotation.
	digestDiffers bool
}

// digests are the digests in the label and in the annotation of an incomplete copy. They are equal unless a client
// changed one of them.
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
	removeIncompleteLabels(o)
}

// Extract removes preserved data from a copy and clears the field, which is nil if the copy has no status.
func Extract(o *Object, field *string) *Extracted {
	d := removeDigests(o)
	e := &Extracted{missing: removeIncompleteLabels(o)}
	if spec, found := removeAnnotation(o, SpecAnnotation); isObject(spec) && isStorable(spec) {
		e.Spec = spec
	} else if found {
		e.Ignored = append(e.Ignored, o.malformed(Spec))
	}
	inAnnotation, found := removeAnnotation(o, StatusAnnotation)
	if field == nil {
		if found {
			e.ignoreStaleStatus(o, "there is no status")
		}
		return e
	}
	value := *field
	*field = ""
	e.readStatus(o, e.readSpecFromField(o, value, d), inAnnotation, found)
	return e
}

// readStatus sets the status from the value of the field, or from the annotation if the field does not have one.
func (e *Extracted) readStatus(o *Object, value string, inAnnotation []byte, hasAnnotation bool) {
	text, found := strings.CutPrefix(value, statusPrefix)
	if found && len(text) <= MaxStored {
		if status := []byte(text); isObject(status) {
			e.Status = status
			e.statusInField = true
		}
	}
	e.isFieldValid = e.statusInField || e.NoStatus || value == nothingStored
	if e.isFieldValid {
		isDifferent := e.Status == nil || string(inAnnotation) != o.statusAnnotationValue(e.Status)
		if hasAnnotation && isDifferent {
			e.reportUnusedStatus(o, inAnnotation)
		}
		return
	}
	if value != "" {
		e.ignore(StatusField, "is malformed")
	}
	if hasAnnotation {
		e.Status = e.readAnnotatedStatus(o, inAnnotation)
	}
}

// readSpecFromField sets the spec if the field has one, and returns the value that the field would have without it. The
// spec is missing if neither label nor annotation has its digest: a client replaced both of them, or the field.
func (e *Extracted) readSpecFromField(o *Object, value string, d digests) (withoutSpec string) {
	text, found := strings.CutPrefix(value, specPrefix)
	if !found {
		return value
	}
	members, _, err := objectjson.Members([]byte(text))
	spec := objectjson.Get(members, "spec")
	digest := digestOfSpec(spec)
	isTrusted := digest == d.label || digest == d.annotation || o.UID == ""
	reason := ""
	switch {
	case !isTrusted:
		reason = "the digest of its spec does not match " + IncompleteDigest
		e.digestDiffers = true
	case err != nil || !isObject(spec):
		reason = "its spec is malformed"
	case len(spec) > MaxStored || !isStorable(spec):
		reason = "its spec exceeds the size limit or has values that cannot be stored"
	}
	if reason != "" {
		e.Spec = nil
		e.missing.spec = true
		e.missing.bytes = max(e.missing.bytes, len(spec))
		e.ignore(StatusField, reason)
	} else {
		if e.Spec != nil {
			e.ignore(o.annotationPath(Spec), "it differs from "+StatusField)
		}
		e.Spec = slices.Clone(spec)
		e.missing.spec = false
	}
	status := objectjson.Get(members, "status")
	switch {
	case status == nil:
		e.NoStatus = err == nil
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

// readAnnotatedStatus returns the status in an annotation. If the annotation is malformed or of another claim, it
// reports that and returns nil.
func (e *Extracted) readAnnotatedStatus(o *Object, annotation []byte) []byte {
	members, _, err := objectjson.Members(annotation)
	status := objectjson.Get(members, "status")
	switch {
	case err != nil || !isObject(status):
		e.Ignored = append(e.Ignored, o.malformed(Status))
		return nil
	case objectjson.StringOf(objectjson.Get(members, "uid")) != o.UID:
		e.ignoreStaleStatus(o, "the status is that of another claim")
		return nil
	}
	return status
}

// reportUnusedStatus reports why the status in an annotation is not used although it differs from that of the field.
func (e *Extracted) reportUnusedStatus(o *Object, annotation []byte) {
	if e.readAnnotatedStatus(o, annotation) != nil {
		e.ignore(o.annotationPath(Status), "it differs from "+StatusField)
	}
}

// statusAnnotationValue returns a status as the annotation has it: with the uid of the claim.
func (o *Object) statusAnnotationValue(status []byte) string {
	return `{"uid":` + string(objectjson.Quote(o.UID)) + `,"status":` + string(status) + `}`
}

func (e *Extracted) ignore(field, reason string) {
	e.Ignored = append(e.Ignored, Ignored{Field: field, Reason: reason})
}

// malformed returns the annotation for a part as malformed data.
func (o *Object) malformed(part Part) Ignored {
	return Ignored{Field: o.annotationPath(part), Reason: "is malformed"}
}

func (e *Extracted) ignoreStaleStatus(o *Object, reason string) {
	e.Ignored = append(e.Ignored, Ignored{Field: o.annotationPath(Status), Reason: reason, IsStale: true})
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
