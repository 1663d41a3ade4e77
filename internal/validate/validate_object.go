package validate

import (
	"errors"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/internal/variables"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/validation"
)

// errMergePatch is the error of an object that only looks like a claim.
var errMergePatch = errors.New("is a strategic merge patch, not a complete object: skipped; validate the output of " +
	"kustomize build")

// validateObject validates one claim or template of a document.
func (v *validator) validateObject(d *yamldoc.Document, raw []byte, at yamldoc.Position) error {
	header, err := conversion.ReadHeader(raw)
	subject := subjectOf(d, at, header)
	var result validation.Result
	var warnings []findings.Finding
	if err == nil {
		result, warnings, err = v.validate(raw, subject)
	}
	if errors.Is(err, errMergePatch) {
		v.reportError(input.NewHarmlessSkip(&yamldoc.DocumentError{Position: at, Err: err}))
		return nil
	}
	if err != nil {
		for _, f := range subject.FromConversionError(err) {
			v.printer.Report(f)
		}
		return nil
	}
	isRejectedByRule := slices.ContainsFunc(result.Errors, func(e validation.Error) bool { return e.Rule != "" })
	if isRejectedByRule && v.patches.IsPatch(at.File) {
		// Rules reject it if something is missing, and not because of its types, its version or its metadata.
		err = errors.New("is a patch of a kustomization, not a complete object: skipped; validate the output of " +
			"kustomize build")
		v.reportError(input.NewHarmlessSkip(&yamldoc.DocumentError{Position: at, Err: err}))
		return nil
	}
	v.validatedCount++
	v.recordVersion(header.Version)
	if len(result.Errors) > 0 {
		v.rejectedCount++
	}
	warnings = append(warnings, unreadEntries(raw, subject)...)
	result.Warnings = nil
	for _, w := range warnings {
		result.Warnings = append(result.Warnings, w.Text())
	}
	v.report(subject, result, warnings)
	return v.out.write(d, at, header, result)
}

// validate validates an object. A value of the wrong type, or an unknown version, is a rejection, because the API
// server rejects such an object before it checks rules. The error is for an object that cannot be validated.
func (v *validator) validate(
	raw []byte, subject findings.Subject,
) (result validation.Result, warnings []findings.Finding, err error) {
	h := subject.Header
	into := api.New(h.Version, h.Kind)
	if into == nil {
		return rejection(field.ErrorTypeNotSupported, "apiVersion", release.UnknownVersionInObject(h.Version)), nil, nil
	}
	if why := release.WhyNotServed(h.Version, v.Release); v.Release != "" && why != "" {
		return rejection(field.ErrorTypeNotSupported, "apiVersion", why), nil, nil
	}
	original := raw
	raw, typed := variables.WithTypes(raw, func(object []byte) (field string) {
		_, err := objectjson.Decode(object, api.New(h.Version, h.Kind))
		if decode, ok := errors.AsType[*objectjson.FieldError](err); ok {
			field = decode.Field
		}
		return field
	})
	unknown, err := objectjson.Decode(raw, into)
	if decode, ok := errors.AsType[*objectjson.FieldError](err); ok && decode.Field != "" {
		return rejection(field.ErrorTypeTypeInvalid, decode.Field, decode.Reason), nil, nil
	}
	if err != nil {
		return result, nil, err
	}
	if slices.ContainsFunc(unknown, claims.IsPatchDirective) {
		return result, nil, errMergePatch
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
	if err != nil {
		return result, nil, err
	}
	result.Errors = variables.WithoutErrorsOnVariables(append(metadata, result.Errors...), original, typed...)
	warnings = v.warnings(original, subject, result, unknown)
	if v.Release == "" {
		return result, warnings, nil
	}
	drops, err := release.DroppedFields(request, v.Release)
	for _, text := range drops {
		path, why, _ := strings.Cut(text, ": ")
		warnings = append(warnings, subject.New(findings.Warning, findings.FieldDroppedByRelease, path, why))
	}
	return result, warnings, err
}

// warnings returns the warnings of the result, of unknown fields, and of what a release does not serve or requires of
// the namespace.
func (v *validator) warnings(
	raw []byte, subject findings.Subject, result validation.Result, unknown []string,
) (all []findings.Finding) {
	warn := func(rule findings.Rule, field, message string) {
		all = append(all, subject.New(findings.Warning, rule, field, message))
	}
	h := subject.Header
	for _, text := range result.Warnings {
		warn(findings.ValidationWarning, "", text)
	}
	for _, path := range unknown {
		rule, what, _ := findings.WrongField(h, path)
		warn(rule, path, what)
	}
	labels := release.AdminLabels(release.Target{Version: h.Version, Release: v.Release})
	if len(labels) > 0 && v.Operation == validation.Create && release.RequestsAdminAccess(raw) {
		warn(findings.AdminAccessNeedsLabel, "", release.AdminLabelMessage(labels))
	}
	if text := release.OffByDefault(h.Version, v.Release); text != "" {
		warn(findings.VersionOffByDefault, "apiVersion", text)
	}
	return all
}

// rejection returns the result of an object that is rejected before a rule is checked.
func rejection(kind field.ErrorType, path, detail string) validation.Result {
	return validation.Result{
		Errors: []validation.Error{{Error: &field.Error{Type: kind, Field: path, Detail: detail}}},
	}
}

// report adds a result to the reports. The result itself is written to standard output.
func (v *validator) report(subject findings.Subject, result validation.Result, warnings []findings.Finding) {
	v.printer.Warnings += len(warnings)
	for _, e := range result.Errors {
		v.Reports.Report(subject.FromRejection(findings.Error, "", e))
	}
	for _, w := range warnings {
		v.Reports.Report(w)
	}
}

// unreadEntries warns if a claim requests devices by an entry of claimbridge.dev: the API server allows it, and no
// driver reads it.
func unreadEntries(raw []byte, subject findings.Subject) []findings.Finding {
	h := subject.Header
	if !api.HasDevices(h.Version) || !conversion.FindIgnoredByDrivers(objectjson.Canonical(raw)).Parameters {
		return nil
	}
	devices := "spec.devices"
	if h.Kind == api.KindTemplate {
		devices = "spec.spec.devices"
	}
	return []findings.Finding{subject.New(findings.Warning, findings.ParametersAreNotRead, devices+".config",
		"parametersRef is preserved in an entry of claimbridge.dev that no driver reads; move the settings of the "+
			"parameters to "+devices)}
}
