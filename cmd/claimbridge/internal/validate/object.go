package validate

import (
	"errors"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/variables"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/validation"
)

// object validates one claim or template.
func (v *validator) object(raw []byte, at yamldoc.Position) error {
	header, err := conversion.ReadHeader(raw)
	var result validation.Result
	var warnings []problems.What
	if err == nil {
		result, warnings, err = v.validate(raw, header)
	}
	isRejectedByRule := slices.ContainsFunc(result.Errors, func(e validation.Error) bool { return e.Rule != "" })
	switch {
	case err != nil:
		v.log.Object(at, header, err)
	case isRejectedByRule && v.patches.Has(at.File):
		// Rules refuse it, as they do where something is missing, and not its types, its version or its metadata.
		err = errors.New("is a patch of a kustomization and no whole object, skipped; validate what kustomize builds")
		v.log.Error(input.Skipped(&yamldoc.DocumentError{Position: at, Err: err}))
	default:
		v.validated++
		v.note(header.Version)
		if len(result.Errors) > 0 {
			v.refused++
		}
		warnings = append(warnings, unreadEntries(raw, header)...)
		result.Warnings = nil
		for _, w := range warnings {
			result.Warnings = append(result.Warnings, w.Text)
		}
		v.tell(at, header, result, warnings)
		return v.out.write(at, header, result)
	}
	return nil
}

// validate an object. A value of the wrong type, or a version that is not known, is rejected like any other object:
// the API server refuses such an object before it comes to rules. The error is for what cannot be asked.
func (v *validator) validate(
	raw []byte, h conversion.Header,
) (result validation.Result, warnings []problems.What, err error) {
	into := api.New(h.Version, h.Kind)
	if into == nil {
		return refused(field.ErrorTypeNotSupported, "apiVersion", release.UnknownInObject(h.Version)), nil, nil
	}
	if why := release.NotServed(h.Version, v.Release); v.Release != "" && why != "" {
		return refused(field.ErrorTypeNotSupported, "apiVersion", why), nil, nil
	}
	original := raw
	raw, typed := variables.WithTypes(raw, func(object []byte) (field string) {
		_, err := conversion.Decode(object, api.New(h.Version, h.Kind))
		if decode, ok := errors.AsType[*conversion.DecodeError](err); ok {
			field = decode.Field
		}
		return field
	})
	unknown, err := conversion.Decode(raw, into)
	if decode, ok := errors.AsType[*conversion.DecodeError](err); ok && decode.Field != "" {
		return refused(field.ErrorTypeTypeInvalid, decode.Field, decode.Why), nil, nil
	}
	if err != nil {
		return result, nil, err
	}
	request := validation.Request{Operation: v.Operation, Object: variables.Replace(raw)}
	if v.Operation != validation.Create {
		if request.OldObject, err = v.old.find(h); err != nil {
			return result, nil, err
		}
	}
	if result, err = release.Validate(request, h.Version, v.Release); err != nil {
		return result, nil, err
	}
	metadata, err := release.ValidateMetadata(request, h)
	result.Errors = variables.Skip(append(metadata, result.Errors...), original, typed...)
	warnings = v.warnings(original, h, result, unknown)
	if v.Release == "" || err != nil {
		return result, warnings, err
	}
	drops, err := release.Drops(request, v.Release)
	for _, text := range drops {
		path, why, _ := strings.Cut(text, ": ")
		warnings = append(warnings, problems.At(finding.DroppedFields, path, why))
	}
	return result, warnings, err
}

// warnings of the result, of unknown fields, and of what a release does not serve or demands of the namespace.
func (v *validator) warnings(
	raw []byte, h conversion.Header, result validation.Result, unknown []string,
) (warnings []problems.What) {
	for _, text := range result.Warnings {
		warnings = append(warnings, problems.What{Rule: finding.CannotBeConverted, Text: text})
	}
	for _, path := range unknown {
		rule, what, _ := problems.WrongField(h, path)
		warnings = append(warnings, problems.At(rule, path, what))
	}
	labels := release.AdminLabels(release.Target{Version: h.Version, Release: v.Release})
	if len(labels) > 0 && v.Operation == validation.Create && release.AsksForAdminAccess(raw) {
		warnings = append(warnings, problems.What{
			Rule: finding.CannotBeConverted,
			Text: "adminAccess is true, for which the namespace must have the label " +
				strings.Join(labels, `: "true", in 1.33 `) + `: "true"`,
		})
	}
	if text := release.OffByDefault(h.Version, v.Release); text != "" {
		warnings = append(warnings, problems.At(finding.VersionOffByDefault, "apiVersion", text))
	}
	return warnings
}

func refused(kind field.ErrorType, path, detail string) validation.Result {
	return validation.Result{
		Errors: []validation.Error{{Error: &field.Error{Type: kind, Field: path, Detail: detail}}},
	}
}

// tell reports of a result, which itself is written elsewhere.
func (v *validator) tell(
	at yamldoc.Position, h conversion.Header, result validation.Result, warnings []problems.What,
) {
	v.log.Warnings += len(warnings)
	if !v.Reports.Any() {
		return
	}
	for _, e := range result.Errors {
		v.log.Tell(finding.Error, at, h, problems.Refused("", e))
	}
	for _, w := range warnings {
		v.log.Tell(finding.Warning, at, h, w)
	}
}

// unreadEntries warns of a claim that asks by an entry of ours: it is allowed, and no driver hears of it.
func unreadEntries(raw []byte, h conversion.Header) []problems.What {
	if !api.HasDevices(h.Version) || !conversion.FindUnread(objectjson.Canonical(raw)).Parameters {
		return nil
	}
	devices := "spec.devices"
	if h.Kind == api.KindTemplate {
		devices = "spec.spec.devices"
	}
	return []problems.What{problems.At(finding.UnreadParameters, devices+".config",
		"parametersRef is kept in an entry of claimbridge.dev that no driver reads; write what the parameters ask "+
			"for into "+devices)}
}
