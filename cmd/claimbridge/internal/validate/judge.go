package validate

import (
	"errors"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/variables"
	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/validation"
)

// object judges one claim or template.
func (v *validator) object(raw []byte, at manifest.Position) error {
	header, err := conversion.ReadHeader(raw)
	var verdict validation.Verdict
	var warnings []problems.What
	if err == nil {
		verdict, warnings, err = v.judge(raw, header)
	}
	isRejectedByRule := slices.ContainsFunc(verdict.Errors, func(e validation.Error) bool { return e.Rule != "" })
	switch {
	case err != nil:
		v.log.Object(at, header, err)
	case isRejectedByRule && v.patches.Has(at.File):
		// Rules refuse it, as they do where something is missing, and not its types, its version or its metadata.
		err = errors.New("is a patch of a kustomization and no whole object, skipped; judge what kustomize builds")
		v.log.Error(input.Skipped(&manifest.DocumentError{Position: at, Err: err}))
	default:
		v.judged++
		v.note(header.Version)
		if len(verdict.Errors) > 0 {
			v.refused++
		}
		warnings = append(warnings, unreadEntries(raw, header)...)
		verdict.Warnings = nil
		for _, w := range warnings {
			verdict.Warnings = append(verdict.Warnings, w.Text)
		}
		v.tell(at, header, verdict, warnings)
		return v.out.write(at, header, verdict)
	}
	return nil
}

// judge an object. A value of the wrong type, or a version that is not known, is a reason for refusal like any other:
// the API server refuses such an object before it comes to rules. The error is for what cannot be asked.
func (v *validator) judge(
	raw []byte, h conversion.Header,
) (verdict validation.Verdict, warnings []problems.What, err error) {
	into := api.New(h.Version, h.Kind)
	if into == nil {
		return refused(field.ErrorTypeNotSupported, "apiVersion", release.Unknown(h.Version)), nil, nil
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
		return verdict, nil, err
	}
	request := validation.Request{Operation: v.Operation, Object: variables.Replace(raw)}
	if v.Operation != validation.Create {
		if request.OldObject, err = v.old.find(h); err != nil {
			return verdict, nil, err
		}
	}
	if verdict, err = release.Judge(request, h.Version, v.Release); err != nil {
		return verdict, nil, err
	}
	metadata, err := release.JudgeMetadata(request, h)
	verdict.Errors = variables.Skip(append(metadata, verdict.Errors...), original, typed...)
	warnings = v.warnings(original, h, verdict, unknown)
	if v.Release == "" || err != nil {
		return verdict, warnings, err
	}
	drops, err := release.Drops(request, v.Release)
	for _, text := range drops {
		path, why, _ := strings.Cut(text, ": ")
		warnings = append(warnings, problems.At(finding.DroppedFields, path, why))
	}
	return verdict, warnings, err
}

// warnings of the verdict, of unknown fields, and of what a release does not serve or demands of the namespace.
func (v *validator) warnings(
	raw []byte, h conversion.Header, verdict validation.Verdict, unknown []string,
) (warnings []problems.What) {
	for _, text := range verdict.Warnings {
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

func refused(kind field.ErrorType, path, detail string) validation.Verdict {
	return validation.Verdict{
		Errors: []validation.Error{{Error: &field.Error{Type: kind, Field: path, Detail: detail}}},
	}
}

// tell reports of a verdict, which itself is written elsewhere.
func (v *validator) tell(
	at manifest.Position, h conversion.Header, verdict validation.Verdict, warnings []problems.What,
) {
	v.log.Warnings += len(warnings)
	if !v.Reports.Any() {
		return
	}
	for _, e := range verdict.Errors {
		v.log.Tell(finding.Error, at, h, problems.Refused("", e))
	}
	for _, w := range warnings {
		v.log.Tell(finding.Warning, at, h, w)
	}
}

// unreadEntries warns of a claim that asks by an entry of ours: it is allowed, and no driver hears of it.
func unreadEntries(raw []byte, h conversion.Header) []problems.What {
	if !api.HasDevices(h.Version) || !conversion.FindUnread(kjson.Canonical(raw)).Parameters {
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
