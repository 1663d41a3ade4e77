package preserve

import (
	"errors"

	"github.com/claimbridge/claimbridge/internal/names"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// Names of the places where data is preserved.
const (
	SpecAnnotation   = names.Domain + "/v1-spec"
	StatusAnnotation = names.Domain + "/v1-status"
	StatusField      = "status.claimbridgeLeftover"

	// IncompleteLabel names the parts that a copy lacks: spec, status, both, devices or spec-and-devices. The value
	// devices stands for the status of a claim that is not allocated.
	IncompleteLabel = names.Domain + "/incomplete"
	// IncompleteBytesLabel is the size in bytes of the data that did not fit.
	IncompleteBytesLabel = names.Domain + "/incomplete-bytes"
	// IncompleteDigest is a label, and an annotation if it fits. It is the digest of a spec that is kept in the field.
	// Either one is enough: most clients that replace all labels keep the annotations.
	IncompleteDigest = names.Domain + "/incomplete-digest"
)

// maxAnnotations in bytes is the limit of an API server for the keys and values of all annotations of an object
// (apimachinery pkg/api/validation, TotalAnnotationSizeLimitB). It applies to reads too, after conversion: an object
// that exceeds it cannot be read or listed in that version.
const maxAnnotations = 256 << 10

// MaxStored in bytes is the limit for data that is restored. An API server reads no request larger than 3 MiB, so no
// stored object is larger. The v1 form of an object that is stored in an older version is at most four times as large.
const MaxStored = 4 * 3 << 20

// ErrIncomplete is the error for a write of a copy that lacks preserved data.
var ErrIncomplete = errors.New("incomplete copy")

// Object is what this package reads and changes of the object that contains a claim.
type Object struct {
	// Metadata has the annotations and labels: the object's own, or spec.metadata of a template.
	Metadata *objectjson.Metadata
	// Path of the metadata, with a trailing dot.
	Path string
	// UID is empty for an object that no API server stores. Server-side apply converts such objects to find the owners
	// of fields.
	UID string
	// IsDeletedDuringUpdate is set if the object has a deletionTimestamp and no finalizers. An API server that is
	// asked to write it deletes it, so the preserved data is not needed any more.
	IsDeletedDuringUpdate bool
	// HasUnlimitedAnnotations is set if no API server limits the annotations: those of a template's spec.metadata.
	HasUnlimitedAnnotations bool
}

// hasRoomFor reports whether an annotation fits, by the bytes of its key and its value.
func (o *Object) hasRoomFor(bytes int) bool {
	annotations := &o.Metadata.Annotations
	return o.HasUnlimitedAnnotations ||
		annotations.SizeUpperBound()+bytes <= maxAnnotations || // cheap
		annotations.Size()+bytes <= maxAnnotations
}

// Texts are the spec and the status of a claim as JSON. Each is nil if the claim does not have it, or if its text is
// not known.
type Texts struct {
	Spec, Status []byte
}

// Data is preserved data: the spec and the status of the v1 claim. Each is nil if it is not preserved.
type Data struct {
	Texts
	// NoStatus is set if the v1 claim has no status. The copy has one only for the field.
	NoStatus bool
}

// Part is the spec or the status of a claim.
type Part string

// The parts of a claim.
const (
	Spec   Part = "spec"
	Status Part = "status"
)

func (p Part) annotation() string {
	if p == Status {
		return StatusAnnotation
	}
	return SpecAnnotation
}

// annotationPath returns the path of the annotation for a part.
func (o *Object) annotationPath(part Part) string {
	return o.Path + "annotations[" + part.annotation() + "]"
}

// IsAnnotation reports whether a key is that of an annotation for preserved data.
func IsAnnotation(key string) bool { return key == SpecAnnotation || key == StatusAnnotation }

// Ignored is preserved data that is not used.
type Ignored struct {
	// Field is the path of the annotation or field, Reason is why it is not used.
	Field, Reason string
	// IsStale is set for a status of another claim, or of a claim without a status. That is expected after the restore
	// of a backup. A client edited, broke or forged other data.
	IsStale bool
}

// String returns the field and the reason.
func (i Ignored) String() string { return i.Field + ": " + i.Reason }

// RemoveAnnotations removes preserved data from an object that is complete without it.
func RemoveAnnotations(o *Object) (ignored []Ignored) {
	ignored = FindAnnotations(o)
	o.Metadata.Annotations.Delete(SpecAnnotation)
	o.Metadata.Annotations.Delete(StatusAnnotation)
	return ignored
}

// FindAnnotations returns the preserved data of an object that is complete without it.
func FindAnnotations(o *Object) (ignored []Ignored) {
	for _, part := range []Part{Spec, Status} {
		if _, found := o.Metadata.Annotations.Get(part.annotation()); found {
			ignored = append(ignored, Ignored{
				Field:  o.annotationPath(part),
				Reason: "only copies in older versions have it; remove it",
			})
		}
	}
	return ignored
}
