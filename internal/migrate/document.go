// Package migrate converts the documents of an input to a version: claims and templates, and other objects that change
// with them. It is a pure function of a document and a target. It prints nothing, counts nothing beyond its result, and
// writes no files. It only reads kustomizations and their bases, to find out what builds an object.
//
// What happens to a document, step by step:
//
//  1. Package yamldoc finds and parses it. A text that is no object is searched (unreadable.go, text_scan.go).
//  2. Is it a claim (claim.go), a list (lists.go), or another object (related_object.go)?
//  3. A claim is converted, unless there are objections (objections.go, preserved_data.go, size_limits.go,
//     deallocation.go).
//  4. In other objects, fields that change with claims are changed (pod_claims.go, related_kinds.go, kustomize.go,
//     json_patch.go), and claims in them are converted (nested_objects.go).
//  5. What needs a manual change in them is reported (references.go, patch_references.go, moved_fields.go).
//  6. The text of the document is edited (edited_text.go).
//  7. Facts are collected that are compared after all input is read (facts.go, same_objects.go).
package migrate

import (
	"cmp"
	"errors"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// InStream converts a document of a stream, which may not be parsed yet.
func (c *Converter) InStream(d *yamldoc.Document) Result {
	isText := d.Text != nil && c.KeepText
	if d.IsComment {
		if isText {
			return Result{Text: d.Text}
		}
		return Result{}
	}
	if err := d.Parse(); err != nil {
		return c.Unreadable(err)
	}
	if reason := c.onlyForKustomize(d); reason != nil {
		var r Result
		r.report(findings.OfError(c.Input, reason))
		return r
	}
	r := c.Document(d)
	switch {
	case r.Failed:
	case isText && !r.Changed:
		r.Text = d.Text // the text is unchanged, including its comments
	case isText:
		c.editInStream(d, &r)
	}
	return r
}

// Document converts a document that was parsed. Its text is not edited.
func (c *Converter) Document(d *yamldoc.Document) Result {
	switch {
	case d.IsList():
		return c.listDocument(d)
	case d.Kind == "" || d.APIVersion == "":
		return c.failedDocument(d, findings.ErrNoType)
	case !c.Groups.IsClaim(d.APIVersion, d.Kind):
		return c.relatedDocument(d)
	}
	var r Result
	raw, duplicate, err := c.objectOf(d, c.Strict, &r)
	if err != nil {
		r.fail(findings.OfDocument(c.Input, d, err))
		return r
	}
	convert := c.claim
	if c.kustomizations.Has(d.File) {
		convert = c.claimPatch
	}
	claim := convert(sourceOf(d), raw)
	r.Include(&claim)
	r.Failed = claim.Failed
	if !claim.Failed {
		r.Object, r.original, r.duplicate = claim.Object, raw, duplicate
		r.Changed = claim.Changed || duplicate != nil
	}
	return r
}

// failedDocument returns the result of a document that could not be read.
func (c *Converter) failedDocument(d *yamldoc.Document, err error) (r Result) {
	r.fail(findings.OfDocument(c.Input, d, err))
	return r
}

// listDocument converts a list in memory. An item that fails is left out.
func (c *Converter) listDocument(d *yamldoc.Document) (r Result) {
	var duplicate error
	if !c.Strict && d.Node != nil {
		_, duplicate, _ = c.objectOf(d, false, &r)
	}
	list, err := d.List(c.Strict && d.Node != nil && c.Groups.IsList(d.APIVersion, d.Kind))
	if err != nil {
		r.fail(findings.OfDocument(c.Input, d, err))
		return r
	}
	converted, broken := c.list(sourceOf(d), list, 1)
	if broken != nil {
		converted.report(findings.OfDocument(c.Input, d, broken))
	}
	r.Include(&converted)
	r.Object, r.duplicate = converted.Object, cmp.Or(duplicate, converted.duplicate)
	r.Changed = converted.Changed || converted.Findings.Failed() > 0 || r.duplicate != nil
	if r.Changed {
		r.original, _ = d.Object(false) // d.List read it before, so there is no error
	}
	return r
}

// relatedDocument converts a document of another kind.
func (c *Converter) relatedDocument(d *yamldoc.Document) (r Result) {
	text := d.Text
	var object []byte
	if text == nil || !c.KeepText {
		raw, err := d.Object(c.Strict && text != nil)
		if text == nil && !c.InPlace && c.KeepText { // YAML cannot have duplicate keys
			raw, _, err = c.objectOf(d, c.Strict, &r)
		}
		if err != nil {
			r.fail(findings.OfDocument(c.Input, d, err))
			return r
		}
		object, text = raw, raw
	}
	converted := c.related(sourceOf(d), d.APIVersion, d.Kind, text, nil)
	r.Include(&converted)
	r.Object, r.Changed, r.Failed = object, converted.Changed, converted.Failed
	if converted.Changed {
		r.Object = converted.Object
	}
	return r
}

// objectOf returns a document as JSON. The last value of a duplicate key counts. The key is an error if strict is set,
// and otherwise a warning, because the API server may reject it.
func (c *Converter) objectOf(d *yamldoc.Document, strict bool, r *Result) (object []byte, duplicate, err error) {
	keys := duplicateKeys{source: sourceOf(d), header: func() conversion.Header { return findings.HeaderOf(d) }}
	object, err = d.WithoutDuplicates(keys.add)
	if strict {
		return object, nil, cmp.Or(err, keys.first)
	}
	r.report(keys.warnings()...)
	return object, keys.first, err
}

// itemOnce is objectOf for an item of a list of JSON.
func (c *Converter) itemOnce(in source, object []byte, r *Result) (once []byte, ok bool) {
	keys := duplicateKeys{source: in, header: func() conversion.Header { return headerOf(object) }}
	once = yamldoc.WithoutDuplicates(object, keys.add)
	if keys.first != nil && c.Strict {
		r.fail(in.subject(keys.header()).OfConversionError(keys.first)...)
		return nil, false
	}
	r.report(keys.warnings()...)
	r.duplicate = cmp.Or(r.duplicate, keys.first)
	return once, true
}

// duplicateKeys collects the duplicate keys of an object.
type duplicateKeys struct {
	source source
	header func() conversion.Header // of the object, which is read only if there is a duplicate key
	first  error
	all    []*yamldoc.LocationError
}

func (k *duplicateKeys) add(e *yamldoc.LocationError) {
	k.first = cmp.Or(k.first, error(e))
	k.all = append(k.all, e)
}

// warnings returns the warnings about the keys.
func (k *duplicateKeys) warnings() (all []findings.Finding) {
	if len(k.all) == 0 {
		return nil
	}
	subject := k.source.subject(k.header())
	for _, e := range k.all {
		all = append(all, subject.OfDuplicateKey(e))
	}
	return all
}

// headerOf returns the header of an object, as far as it can be read.
func headerOf(object []byte) conversion.Header {
	h, _ := conversion.ReadHeader(object)
	return h
}

// asNotObject returns the error of a document that is YAML and not an object, or nil.
func asNotObject(err error) *yamldoc.NotObjectError {
	e, _ := errors.AsType[*yamldoc.NotObjectError](err)
	return e
}
