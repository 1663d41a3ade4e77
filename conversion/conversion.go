package conversion

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/internal/conversion"
)

// Errors of a conversion, for errors.Is.
var (
	// ErrIncomplete is the error for an object in an older version that lacks preserved data, for example because a
	// client dropped it.
	ErrIncomplete = conversion.ErrIncomplete
	// ErrVersion is the error for an unknown version.
	ErrVersion = conversion.ErrVersion
	// ErrKind is the error for a kind other than ResourceClaim and ResourceClaimTemplate.
	ErrKind = conversion.ErrKind
)

// Error is the type of all errors of a conversion. It embeds the [Header] of the object, and has the target version
// (To), the path of the field that causes the error, or "" (Field), and the cause (Err). Apart from the header it
// contains no values of the object.
type Error = conversion.Error

// Header identifies an object. It has the strings Group, Version, Kind, Namespace, Name, GenerateName and UID. A field
// that is absent or not a string is "". Its method String returns a text such as "ResourceClaim default/a".
type Header = conversion.Header

// Options of a conversion. The zero value is the conversion that the webhook does for an API server.
type Options struct {
	// Strict rejects objects with unknown or duplicate fields. Otherwise they are dropped and
	// reported, as an API server does without strict field validation.
	Strict bool
	// Manifest is for objects in files. No API server has validated or encoded them, and they are applied to API servers
	// that set defaults and that may not have claimbridge's CRDs:
	//   - No default is added, so that a manifest has only what its author wrote.
	//   - The status is preserved only in an annotation, and not in a field, which only claimbridge's CRDs have.
	//   - An object of resource.k8s.io loses deallocationRequested in v1beta1 and later, where only claimbridge's CRDs
	//     have such a field.
	//   - Resource handles that v1alpha2 does not accept are an error, because no version preserves them.
	//   - The limit for annotations also applies to spec.metadata of a template, where Kubernetes 1.26 to 1.33 check it.
	//   - Preserved data keeps the order of members that the types have. Otherwise it has that of an API server.
	//   - An empty list is not preserved, because it is equivalent to no list.
	//   - Numbers of opaque parameters are compared with all digits to find out whether a client edited preserved data.
	//     Otherwise they are compared as float64, because an API server stores large integers as float64.
	Manifest bool
}

// Report describes what a conversion did. It contains paths of fields, never values.
type Report struct {
	// Unknown has the paths of unknown and duplicate fields, which are dropped.
	Unknown []string
	// Lost has the paths of fields that the version neither represents nor preserves: status.driverName of a claim
	// without an allocation, status.allocation.shareable of a claim without a name, resource handles that v1alpha2 does
	// not accept, and in a manifest of resource.k8s.io that is converted to v1beta1 or later,
	// status.deallocationRequested.
	Lost []string
	// Ignored has preserved data that is not used, each with its path and the reason: it is malformed, in the wrong
	// place, or of another object, or a client edited the spec.
	Ignored []string
	// Preserved has the places of preserved data in the result, each with its path and its size.
	Preserved []string
	// Incomplete names the preserved data that does not fit into the annotations of the result, or is "": spec, status,
	// both, devices (the device status of a claim without an allocation) or spec-and-devices.
	Incomplete string
}

// Versions returns the names of all versions, oldest first.
func Versions() []string { return conversion.Versions() }

// ReadHeader returns the header of a JSON object of any kind.
func ReadHeader(object []byte) (Header, error) { return conversion.ReadHeader(object) }

// ConvertJSON converts a ResourceClaim or ResourceClaimTemplate to another version of its group. An object that has the
// version already is returned byte for byte. Metadata does not change, except for labels and annotations of
// claimbridge. An object that has more than 10,000 levels, or exceeds the sizes that an API server stores, is rejected.
// Every error is an [*Error].
func ConvertJSON(object []byte, version string, o Options) ([]byte, Report, error) {
	out, report, err := conversion.ConvertJSON(object, version, conversion.Options{
		Strict:        o.Strict,
		Manifest:      o.Manifest,
		OmitDefaults:  o.Manifest,
		ListPreserved: true,
	})
	return out, Report{
		Unknown:    report.Unknown,
		Lost:       report.Lost,
		Ignored:    slices.Concat(report.Ignored, report.Stale),
		Preserved:  report.Preserved,
		Incomplete: report.Incomplete,
	}, err
}

// Convert converts a typed object to another version. Both are pointers to a ResourceClaim, or both to a
// ResourceClaimTemplate, of the packages below github.com/claimbridge/claimbridge/api. Types of k8s.io/api have the
// same names, but Convert rejects them with [ErrKind]: convert them with [ConvertJSON].
//
// The input does not change and shares no memory with the output. Everything that the output had before is replaced.
// The group is that of the input, or of its type if its TypeMeta is empty. Options are the zero value. Every error is
// an [*Error].
func Convert(in, out runtime.Object) error { return conversion.Convert(in, out) }
