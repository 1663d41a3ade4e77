package conversion

import (
	"cmp"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/internal/conversion/preserve"
)

// ConvertJSON converts a ResourceClaim or a ResourceClaimTemplate to another version of its group. An object that has
// the version already is returned unchanged, byte for byte. With Options.Strict it is decoded even then, and rejected
// if a field is unknown, duplicate or of the wrong type. Metadata is unchanged, except for labels and annotations of
// claimbridge. Every error is an *Error.
func ConvertJSON(object []byte, version string, o Options) ([]byte, Report, error) {
	out, report, err := AppendConverted(make([]byte, 0, len(object)+len(object)/2), object, version, o)
	if err != nil {
		return nil, report, err
	}
	return out, report, nil
}

// AppendConverted appends the object that [ConvertJSON] returns to a buffer. It returns the buffer unchanged if there
// is an error. The buffer and the object must not overlap.
func AppendConverted(out, object []byte, version string, o Options) ([]byte, Report, error) {
	obj, err := readObject(object)
	if err != nil {
		return out, Report{}, newError(obj.Header, version, err)
	}
	report := Report{Group: strings.Clone(obj.Group), Version: strings.Clone(obj.Version)}
	converted, err := obj.appendInVersion(out, object, version, o, &report)
	if err != nil {
		return out, report, newError(obj.Header, version, err)
	}
	return converted, report, nil
}

// appendInVersion appends the object in another version. The text is that of the object.
func (obj *object) appendInVersion(out, text []byte, version string, o Options, report *Report) ([]byte, error) {
	if err := cmp.Or(checkVersion(obj.Version), checkVersion(version)); err != nil {
		return nil, err
	}
	isUnchanged := obj.Version == version
	if isUnchanged && !o.Strict && !o.inspects(version) {
		return append(out, text...), nil
	}
	if err := obj.readTemplateMetadata(); err != nil {
		return nil, err
	}
	claim, unknown, err := obj.readClaim()
	if err != nil {
		return nil, err
	}
	if !isUnchanged || o.Strict {
		report.Unknown = slices.Concat(obj.unknown, unknown)
	}
	if o.Strict && len(report.Unknown) > 0 {
		return nil, &UnknownFieldError{Fields: report.Unknown}
	}
	var partTexts preserve.Texts
	if obj.Version == storedVersion && len(unknown) == 0 { // unknown fields are not preserved
		partTexts = obj.partTexts()
	}
	converted, err := obj.convertClaim(claim, partTexts, version, o, len(text), report)
	if err != nil {
		return nil, err
	}
	if isUnchanged {
		return append(out, text...), nil
	}
	return obj.appendJSON(out, version, converted, o), nil
}
