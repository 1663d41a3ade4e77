package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/validation"
)

// validator judges documents and writes verdicts.
type validator struct {
	operation validation.Operation
	groups    groups
	old       oldObjects
	verbose   bool
	out       verdicts
	problems  problems

	judged, refused int
}

// document judges a document, or the items of a list. The error is one of writing.
func (v *validator) document(d *manifest.Document) error {
	failed := func(err error) error {
		v.problems.document(d, err)
		return nil
	}
	if d.IsList() {
		if d.Text() != nil && !anyList(d.APIVersion, d.Kind) && !v.groups.claimList(d.APIVersion, d.Kind) {
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
		return failed(errNoType)
	case !v.groups.claim(d.APIVersion, d.Kind):
		return v.skip(d.Position, d.APIVersion, d.Kind, named(d))
	}
	raw, err := d.Object(true)
	if err != nil {
		return failed(err)
	}
	return v.object(raw, d.Position)
}

func (v *validator) skip(at manifest.Position, apiVersion, kind string, h conversion.Header) error {
	if t, why, passed := v.groups.passedOver(apiVersion, kind); passed {
		h.Kind = kind
		v.problems.advise(t, at, h, "is skipped: "+why)
	} else if v.verbose {
		fmt.Fprintf(v.problems.w, "%s: %s of %s: skipped, not a claim\n", at, cmp.Or(kind, "no kind"), cmp.Or(apiVersion, "no apiVersion"))
	}
	return nil
}

// named is what is known of a document that is not read any further.
func named(d *manifest.Document) conversion.Header {
	if raw, err := d.Object(false); err == nil && d.Text() == nil {
		h, _ := conversion.ReadHeader(raw) // what it cannot tell is left out
		return h
	}
	return conversion.Header{Namespace: d.Namespace, Name: d.Name}
}

func (v *validator) list(list *manifest.List, at manifest.Position, depth int) error {
	ours := v.groups.claimList(list.APIVersion, list.Kind)
	for {
		item, err := list.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			v.problems.read(&manifest.DocumentError{Position: at, Err: err})
			return nil //nolint:nilerr // it was printed, and the rest goes on
		}
		raw := item.Object
		if ours {
			raw = typed(raw, typeOfList(list))
		}
		if err := v.item(raw, item.Position, depth, typeOfList(list)); err != nil {
			return err
		}
	}
}

func (v *validator) item(raw []byte, at manifest.Position, depth int, in listType) error {
	apiVersion, kind := manifest.TypeOf(raw)
	switch {
	case v.groups.claim(apiVersion, kind):
		return v.object(raw, at)
	case !anyList(apiVersion, kind) && !v.groups.claimList(apiVersion, kind):
		apiVersion, kind := manifest.TypeOf(typed(raw, in))
		h, _ := conversion.ReadHeader(raw) // what it cannot tell is left out
		return v.skip(at, apiVersion, kind, h)
	case depth == maxLists:
		v.problems.read(&manifest.DocumentError{Position: at, Err: errLists})
		return nil
	}
	inner, err := manifest.ListOf(raw, at)
	switch {
	case err != nil:
		v.problems.read(&manifest.DocumentError{Position: at, Err: err})
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
	if err == nil {
		verdict, err = v.judge(raw, header)
	}
	switch {
	case err != nil:
		v.problems.object(at, header, err)
	default:
		v.judged++
		if len(verdict.Errors) > 0 {
			v.refused++
		}
		return v.out.write(at, header, verdict)
	}
	return nil
}

// judge an object. A value of the wrong type, or a version that is not known, is a reason for refusal like any other:
// the API server refuses such an object before it comes to rules. The error is for what cannot be asked.
func (v *validator) judge(raw []byte, h conversion.Header) (validation.Verdict, error) {
	into := api.New(h.Version, h.Kind)
	if into == nil {
		return refused(field.ErrorTypeNotSupported, "apiVersion", conversion.CheckVersion(h.Version).Error()), nil
	}
	unknown, err := conversion.Decode(raw, into)
	if decode, ok := errors.AsType[*conversion.DecodeError](err); ok && decode.Field != "" {
		return refused(field.ErrorTypeTypeInvalid, decode.Field, decode.Why), nil
	}
	if err != nil {
		return validation.Verdict{}, err
	}
	request := validation.Request{Operation: v.operation, Object: raw}
	if v.operation != validation.Create {
		if request.OldObject, err = v.old.find(h); err != nil {
			return validation.Verdict{}, err
		}
	}
	verdict, err := validation.Judge(context.Background(), request)
	if err != nil {
		return verdict, err
	}
	metadata, err := judgeMetadata(request, h)
	verdict.Errors = append(metadata, verdict.Errors...)
	for _, path := range unknown {
		what, _ := wrongField(h, path)
		verdict.Warnings = append(verdict.Warnings, path+": "+what)
	}
	return verdict, err
}

func refused(kind field.ErrorType, path, detail string) validation.Verdict {
	return validation.Verdict{Errors: []validation.Error{{Error: &field.Error{Type: kind, Field: path, Detail: detail}}}}
}
