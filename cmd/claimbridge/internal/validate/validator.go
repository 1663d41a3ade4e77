package validate

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/kustomization"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/validation"
)

// validator judges documents and writes verdicts.
type validator struct {
	operation validation.Operation
	release   string
	groups    claims.Groups
	old       oldObjects
	verbose   bool
	out       verdicts
	log       problems.Log
	patches   kustomization.Patches

	judged, refused int
}

// unreadable is what could not be read as an object.
func (v *validator) unreadable(err error) {
	if e, ok := errors.AsType[*manifest.NotObjectError](err); ok && e.IsJSONPatch() {
		err = problems.SkippedPatch(e)
	}
	v.log.Error(err)
}

// document judges a document, or the items of a list. The error is one of writing.
func (v *validator) document(d *manifest.Document) error {
	failed := func(err error) error {
		v.log.Document(d, err)
		return nil
	}
	v.log.Locate, v.out.locate = d.Locate, d.Locate
	if d.IsList() {
		if d.Text() != nil && !claims.AnyList(d.APIVersion, d.Kind) && !v.groups.ClaimList(d.APIVersion, d.Kind) {
			return v.skip(d.Position, d.APIVersion, d.Kind, named(d))
		}
		list, err := d.List(true)
		if err != nil {
			return failed(err)
		}
		return v.list(list, d.Position, 1)
	}
	switch {
	case d.Kind == "" || d.APIVersion == "":
		return failed(problems.ErrNoType)
	case !v.groups.Claim(d.APIVersion, d.Kind):
		return v.skip(d.Position, d.APIVersion, d.Kind, named(d))
	}
	raw, err := d.Object(true)
	if err != nil {
		return failed(err)
	}
	return v.object(raw, d.Position)
}

func (v *validator) skip(at manifest.Position, apiVersion, kind string, h conversion.Header) error {
	if rule, why, passed := problems.PassedOver(v.groups, apiVersion, kind); passed {
		h.Kind = kind
		if rule.About().Severity == finding.Error {
			v.log.Refuse(at, h, []problems.What{{Rule: rule, Text: why}})
			return nil
		}
		v.log.Advise(at, h, problems.What{Rule: rule, Text: "is skipped: " + why})
	} else if v.verbose {
		text := fmt.Sprintf("%s: %s of %s: skipped, not a claim", at, cmp.Or(kind, "no kind"), cmp.Or(apiVersion, "no apiVersion"))
		fmt.Fprintln(v.log.W, finding.Printable(text))
	}
	return nil
}

// named is what is known of a document that is not read any further.
func named(d *manifest.Document) conversion.Header {
	if raw, err := d.Object(false); err == nil && d.Text() == nil {
		h, _ := conversion.ReadHeader(raw) // what it does not say is left out
		return h
	}
	return conversion.Header{Namespace: d.Namespace, Name: d.Name}
}

func (v *validator) list(list *manifest.List, at manifest.Position, depth int) error {
	ours := v.groups.ClaimList(list.APIVersion, list.Kind)
	for {
		item, err := list.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			v.log.Error(&manifest.DocumentError{Position: at, Err: err})
			return nil //nolint:nilerr // it was printed, and the rest goes on
		}
		raw := item.Object
		if ours {
			raw = claims.Typed(raw, claims.TypeOfList(list))
		}
		if err := v.item(raw, item.Position, depth, claims.TypeOfList(list)); err != nil {
			return err
		}
	}
}

func (v *validator) item(raw []byte, at manifest.Position, depth int, in claims.ListType) error {
	apiVersion, kind := manifest.TypeOf(raw)
	switch {
	case v.groups.Claim(apiVersion, kind):
		return v.object(raw, at)
	case !claims.AnyList(apiVersion, kind) && !v.groups.ClaimList(apiVersion, kind):
		apiVersion, kind := manifest.TypeOf(claims.Typed(raw, in))
		h, _ := conversion.ReadHeader(raw) // what it does not say is left out
		return v.skip(at, apiVersion, kind, h)
	case depth == claims.MaxLists:
		v.log.Error(&manifest.DocumentError{Position: at, Err: claims.ErrLists})
		return nil
	}
	inner, err := manifest.ListOf(raw, at)
	switch {
	case err != nil:
		v.log.Error(&manifest.DocumentError{Position: at, Err: err})
	case inner == nil:
		return v.skip(at, apiVersion, kind, conversion.Header{})
	default:
		return v.list(inner, at, depth+1)
	}
	return nil //nolint:nilerr // it was printed, and the rest goes on
}

// object judges one claim or template.
func (v *validator) object(raw []byte, at manifest.Position) error {
	header, err := conversion.ReadHeader(raw)
	var verdict validation.Verdict
	var warnings []problems.What
	if err == nil {
		verdict, warnings, err = v.judge(raw, header)
	}
	switch {
	case err != nil:
		v.log.Object(at, header, err)
	case byRules(verdict) && v.patches.Has(at.File):
		v.log.Error(input.Skipped(&manifest.DocumentError{Position: at, Err: errPatch}))
	default:
		v.judged++
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

var errPatch = errors.New("is a patch of a kustomization and no whole object, skipped; judge what kustomize builds")

// byRules reports whether rules refuse an object, as they do where something is missing, and not its types, its version or its metadata.
func byRules(v validation.Verdict) bool {
	return slices.ContainsFunc(v.Errors, func(e validation.Error) bool { return e.Rule != "" })
}

// judge an object. A value of the wrong type, or a version that is not known, is a reason for refusal like any other:
// the API server refuses such an object before it comes to rules. The error is for what cannot be asked.
func (v *validator) judge(raw []byte, h conversion.Header) (verdict validation.Verdict, warnings []problems.What, err error) {
	into := api.New(h.Version, h.Kind)
	if into == nil {
		return refused(field.ErrorTypeNotSupported, "apiVersion", release.Unknown(h.Version)), nil, nil
	}
	if v.release != "" {
		if why := release.NotServed(h.Version, v.release); why != "" {
			return refused(field.ErrorTypeNotSupported, "apiVersion", why), nil, nil
		}
	}
	unknown, err := conversion.Decode(raw, into)
	if decode, ok := errors.AsType[*conversion.DecodeError](err); ok && decode.Field != "" {
		return refused(field.ErrorTypeTypeInvalid, decode.Field, decode.Why), nil, nil
	}
	if err != nil {
		return verdict, nil, err
	}
	request := validation.Request{Operation: v.operation, Object: raw}
	if v.operation != validation.Create {
		if request.OldObject, err = v.old.find(h); err != nil {
			return verdict, nil, err
		}
	}
	if verdict, err = release.Judge(request, h.Version, v.release); err != nil {
		return verdict, nil, err
	}
	metadata, err := release.JudgeMetadata(request, h)
	verdict.Errors = append(metadata, verdict.Errors...)
	for _, text := range verdict.Warnings {
		warnings = append(warnings, problems.What{Rule: finding.CannotBeConverted, Text: text})
	}
	for _, path := range unknown {
		rule, what, _ := problems.WrongField(h, path)
		warnings = append(warnings, problems.At(rule, path, what))
	}
	labels := release.AdminLabels(release.Target{Version: h.Version, Release: v.release})
	if len(labels) > 0 && v.operation == validation.Create && bytes.Contains(kjson.Canonical(raw), []byte(`"adminAccess":true`)) {
		warnings = append(warnings, problems.What{Rule: finding.CannotBeConverted,
			Text: "adminAccess is true, for which the namespace must have the label " + strings.Join(labels, `: "true", in 1.33 `) + `: "true"`})
	}
	if v.release != "" && err == nil {
		var drops []string
		drops, err = release.Drops(request, v.release)
		for _, text := range drops {
			path, why, _ := strings.Cut(text, ": ")
			warnings = append(warnings, problems.At(finding.DroppedFields, path, why))
		}
	}
	return verdict, warnings, err
}

func refused(kind field.ErrorType, path, detail string) validation.Verdict {
	return validation.Verdict{Errors: []validation.Error{{Error: &field.Error{Type: kind, Field: path, Detail: detail}}}}
}
