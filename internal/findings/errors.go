package findings

import (
	"cmp"
	"errors"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/validation"
)

// ErrNoType is the error of an object without an apiVersion or a kind.
var ErrNoType = errors.New("is not a Kubernetes object: apiVersion and kind must be set")

// SkippedPatch returns the error of a JSON patch, which is not an object and not expected to be one.
func SkippedPatch(e *yamldoc.NotObjectError) error {
	return input.NewHarmlessSkip(&yamldoc.DocumentError{
		Position: e.Document.Position,
		Err:      errors.New("is a JSON patch, not an object: skipped"),
	})
}

// FromError returns the finding about a part of an input that could not be read, or was skipped. The error has its
// position.
func FromError(in *input.Input, err error) Finding {
	f := Finding{Rule: ruleOf(err), Severity: Error, Message: err.Error()}
	if e, ok := errors.AsType[*yamldoc.DocumentError](err); ok {
		f.Position, f.Message = positionOf(e.Position), e.Err.Error()
		f.Line = cmp.Or(yamldoc.LocationOf(err).Line, f.Line)
	} else if e, ok := errors.AsType[*input.FileError](err); ok {
		f.File, f.Message = e.Path, e.Err.Error()
	}
	if skipped, ok := errors.AsType[*input.SkippedError](err); ok {
		f.Rule, f.Severity, f.Harmless = SkippedFile, Warning, skipped.IsHarmless
		return f
	}
	if _, ok := errors.AsType[*input.GitignoreError](err); ok {
		f.Rule, f.Severity, f.Harmless = GitignoreNotApplied, Warning, true
		return f
	}
	if f.Rule == CannotBeConverted { // the default of ruleOf is about an object, but this error is about a file
		f.Rule = UnreadableFile
	}
	f.Message += hintFor(in, f.Position, err)
	return f
}

// FromFileError returns the finding about a file that could not be read or written.
func FromFileError(in *input.Input, name string, err error) Finding {
	f := FromError(in, err)
	f.File = cmp.Or(f.File, name)
	f.Message = strings.TrimPrefix(f.Message, f.File+": ")
	return f
}

// ReadOnly returns the warning about a file that would change, but has no write permission for any user.
func ReadOnly(name string) Finding {
	return Finding{
		Rule: UnreadableFile, Severity: Warning, Position: Position{File: name},
		Message: "is read-only, so --write would not change it",
	}
}

// FromText returns the error about a text that is not an object and needs a manual change.
func FromText(at yamldoc.Position, rule Rule, message string) Finding {
	return Finding{Rule: rule, Severity: Error, Position: positionOf(at), Message: message}
}

// FromDocumentError returns the finding about a document that could not be read.
func FromDocumentError(in *input.Input, d *yamldoc.Document, err error) Finding {
	if d.Kind == "" {
		return FromError(in, &yamldoc.DocumentError{Position: d.Position, Err: err})
	}
	s := Subject{Position: d.Position, Header: HeaderOf(d), Locate: func(field string) (line, column int) {
		return d.Locate(d.Items, field)
	}}
	f := s.fromReadError(err)
	if f.Rule == CannotBeConverted { // the default of ruleOf is about an object that was read
		f.Rule = UnreadableDocument
	}
	hint := templateHint(in, d.File, err)
	f.Message, f.Sentence = f.Message+hint, f.Sentence+hint
	return f
}

// HeaderOf returns the fields of the header of a document that are known without a conversion to JSON.
func HeaderOf(d *yamldoc.Document) conversion.Header {
	h := conversion.Header{Version: d.APIVersion, Kind: d.Kind, Namespace: d.Namespace, Name: d.Name}
	if i := strings.LastIndexByte(d.APIVersion, '/'); i >= 0 {
		h.Group, h.Version = d.APIVersion[:i], d.APIVersion[i+1:]
	}
	if d.IsJSON() {
		raw, _ := d.Object(false)
		named, _ := conversion.ReadHeader(raw) // a name that cannot be read is left out
		h.Namespace, h.Name = named.Namespace, named.Name
	}
	return h
}

// FromConversionError returns the findings about an object that could not be converted or validated, one for each
// field.
func (s Subject) FromConversionError(err error) []Finding {
	if unknown, ok := errors.AsType[*conversion.UnknownFieldError](err); ok {
		var all []Finding
		for _, field := range unknown.Fields {
			all = append(all, s.fromUnknownField(field, err))
		}
		return AsOneFailure(all)
	}
	e, ok := errors.AsType[*conversion.Error](err)
	switch {
	case !ok:
		return []Finding{s.fromReadError(err)}
	case e.Field != "":
		text := e.Err.Error()
		if strings.HasSuffix(text, "must be a string") &&
			(strings.Contains(text, "a boolean") || strings.Contains(text, "a number")) {
			text += ": quote it"
		}
		return []Finding{s.New(Error, WrongType, e.Field, text)}
	case errors.Is(err, conversion.ErrVersion):
		return []Finding{s.New(Error, UnknownVersion, "apiVersion", release.UnknownVersionInObject(e.Version))}
	}
	return []Finding{s.New(Error, CannotBeConverted, "", e.Err.Error())}
}

// fromUnknownField returns the error about a field that strict decoding rejects.
func (s Subject) fromUnknownField(field string, err error) Finding {
	rule, what, remedy := WrongField(s.Header, field)
	message := what + remedy
	if rule == UnknownField {
		drop := "drop it"
		if e, ok := errors.AsType[*conversion.Error](err); ok && e.To == s.Header.Version {
			drop = "pass it through for the API server to drop"
		}
		message += ", or let --validate=false " + drop
	}
	return s.New(Error, rule, field, message)
}

// FromDuplicateKey returns the warning about a key that occurs twice, with its field or line.
func (s Subject) FromDuplicateKey(err error) Finding {
	at := yamldoc.LocationOf(err)
	return s.NewSentence(Warning, ruleOf(err), at.Field, err.Error()).WithLine(at.Line)
}

// fromReadError returns the error about an object that could not be read, with the field or line that the error names.
func (s Subject) fromReadError(err error) Finding {
	at, text := yamldoc.LocationOf(err), err.Error()
	if at.IsDuplicate {
		text += "; remove one of them, or use --validate=false, which keeps the last value"
	}
	return s.NewSentence(Error, ruleOf(err), at.Field, text).WithLine(at.Line)
}

// FromRejection returns the finding about a validation error. The text for people begins with prefix. An error without
// a rule is about metadata, types or versions.
func (s Subject) FromRejection(severity Severity, prefix string, e validation.Error) Finding {
	rule := Rule(e.Rule)
	switch {
	case e.Rule != "":
	case e.Field == "apiVersion":
		rule = UnknownVersion
	case e.Field == "metadata" || strings.HasPrefix(e.Field, "metadata."):
		rule = MetadataIsInvalid
	case e.Type == field.ErrorTypeTypeInvalid:
		rule = WrongType
	default:
		rule = RefusedByRelease
	}
	return s.NewSentence(severity, rule, e.Field, prefix+e.Field+": "+ReasonAndRule(e))
}

// Reason returns an error of a validation without its field and value.
func Reason(e validation.Error) string {
	if e.Detail == "" {
		return e.Type.String()
	}
	return e.Type.String() + ": " + e.Detail
}

// ReasonAndRule returns the reason with the rule, if there is one.
func ReasonAndRule(e validation.Error) string {
	if e.Rule == "" {
		return Reason(e)
	}
	return Reason(e) + " (" + e.Rule + ")"
}

// ruleOf returns the rule of an error of reading.
func ruleOf(err error) Rule {
	if errors.Is(err, ErrNoType) {
		return ObjectWithoutType
	}
	if _, ok := errors.AsType[*yamldoc.TemplateError](err); ok {
		return HelmTemplate
	}
	if yamldoc.LocationOf(err).IsDuplicate {
		return DuplicateField
	}
	if _, ok := errors.AsType[*yamldoc.DocumentError](err); ok {
		return UnreadableDocument
	}
	if _, ok := errors.AsType[*input.FileError](err); ok {
		return UnreadableFile
	}
	return CannotBeConverted
}

// hintFor returns a remedy for a document that cannot be read, or is not an object. It is empty if the document looks
// like an object.
func hintFor(in *input.Input, at Position, err error) string {
	if hint := templateHint(in, at.File, err); hint != "" {
		return hint
	}
	if at.File == "" || at.File == input.StandardInput || at.Item != "" {
		return ""
	}
	_, isNotObject := errors.AsType[*yamldoc.NotObjectError](err)
	isNotManifest := isNotObject || errors.Is(err, ErrNoType)
	if !isNotManifest || in.IsNamed(at.File) {
		return ""
	}
	return "; if this is not a manifest, skip it with --exclude"
}

// templateHint returns a remedy for the error of a template, or "" for another error.
func templateHint(in *input.Input, file string, err error) string {
	if _, ok := errors.AsType[*yamldoc.TemplateError](err); !ok {
		return ""
	}
	hint := "; it looks like a template: render it first"
	if input.InChart(file) {
		hint += ": helm template CHART | " + in.PipeCommand
	}
	return hint
}
