package conversion

import (
	"bytes"
	"slices"

	"github.com/claimbridge/claimbridge/internal/conversion/hub"
	"github.com/claimbridge/claimbridge/internal/conversion/preserve"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// ParsedObject is an object that was read once, for a caller that looks at its parts and also
// converts it, such as package validation.
type ParsedObject struct {
	object  *object
	claim   hub.Claim
	unknown []string
}

// Parse reads an object of a known version. It copies the object. Every error is an *Error.
func Parse(text []byte) (*ParsedObject, error) {
	obj, err := readObject(bytes.Clone(text))
	if err != nil {
		return nil, newError(obj.Header, storedVersion, err)
	}
	parsed, err := parse(obj)
	if err != nil {
		return nil, newError(obj.Header, storedVersion, err)
	}
	return parsed, nil
}

func parse(obj *object) (*ParsedObject, error) {
	if err := checkVersion(obj.Version); err != nil {
		return nil, err
	}
	if err := obj.readTemplateMetadata(); err != nil {
		return nil, err
	}
	claim, unknown, err := obj.readClaim()
	return &ParsedObject{object: obj, claim: claim, unknown: unknown}, err
}

// Header returns the identity of the object.
func (o *ParsedObject) Header() Header { return o.object.Header }

// Unknown returns the paths of unknown and duplicate fields outside of metadata.
func (o *ParsedObject) Unknown() []string { return slices.Concat(o.object.unknown, o.unknown) }

// Metadata returns the metadata of the object and, for a template, the metadata of the claims that it creates, as JSON.
// Each is nil if it is absent.
func (o *ParsedObject) Metadata() (object, template []byte) {
	return objectjson.Get(o.object.Members, "metadata"), objectjson.Get(o.object.template, "metadata")
}

// SpecAndStatus returns pointers to the claim's spec, in a template the one inside its own spec, and to its status.
// Each is nil if it is absent. The caller must not change them.
func (o *ParsedObject) SpecAndStatus() (spec, status any) { return o.claim.SpecAndStatus() }

// Convert returns the spec of this object and a status in another version. The status has the version of this object,
// but may be that of another object: an API server writes the spec of one object with the status of another. The result
// may share memory with the arguments. Options are those of [ConvertJSON], without Strict and TrimMetadata. Group,
// Version and Unknown of the report are empty. Every error is an *Error.
func (o *ParsedObject) Convert(
	status any, version string, options Options,
) (convertedSpec, convertedStatus any, report Report, err error) {
	converted, err := o.convertWithStatus(status, version, options, &report)
	if err != nil {
		return nil, nil, report, newError(o.object.Header, version, err)
	}
	convertedSpec, convertedStatus = converted.claim.SpecAndStatus()
	return convertedSpec, convertedStatus, report, nil
}

func (o *ParsedObject) convertWithStatus(status any, version string, options Options, report *Report) (result, error) {
	if err := checkVersion(version); err != nil {
		return result{}, err
	}
	obj := *o.object
	obj.Metadata = obj.Metadata.Clone() // a conversion changes it
	obj.templateMetadata = obj.templateMetadata.Clone()
	return obj.convertClaim(hub.WithStatus(o.claim, status), preserve.Texts{}, version, options, 0, report)
}

// HasSameSpec reports whether another object has the same spec, byte for byte.
func (o *ParsedObject) HasSameSpec(other *ParsedObject) bool {
	return bytes.Equal(objectjson.Get(o.object.Members, "spec"), objectjson.Get(other.object.Members, "spec"))
}

// ConvertsLike reports whether another object of the same version becomes the same when both are converted with the
// same status: everything that a conversion reads is the same, byte for byte.
func (o *ParsedObject) ConvertsLike(other *ParsedObject) bool {
	a, b := o.object, other.object
	for _, label := range []string{
		preserve.IncompleteLabel, preserve.IncompleteBytesLabel, preserve.IncompleteDigest,
	} {
		value, isSet := a.Metadata.Labels.Get(label)
		otherValue, isSetInOther := b.Metadata.Labels.Get(label)
		if value != otherValue || isSet != isSetInOther {
			return false
		}
	}
	for _, name := range []string{"annotations", "deletionTimestamp"} {
		if !bytes.Equal(objectjson.Get(a.Metadata.Members, name), objectjson.Get(b.Metadata.Members, name)) {
			return false
		}
	}
	return a.Header == b.Header && o.HasSameSpec(other) && a.isDeletedDuringUpdate() == b.isDeletedDuringUpdate()
}

// IsDeletedDuringUpdate reports whether an update deletes the object: it has a deletionTimestamp and no finalizers.
func (o *ParsedObject) IsDeletedDuringUpdate() bool { return o.object.isDeletedDuringUpdate() }
