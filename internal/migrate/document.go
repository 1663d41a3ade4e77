// Package migrate converts the documents of an input to a version: claims and templates, and other objects that change
// with them. The result depends on the document, the target, and the kustomizations, their bases and the charts that
// the package reads next to the document. It prints nothing and writes no files. Package batch does both.
//
// These are the steps for a document, in the order of the code:
//
//  1. Package yamldoc finds it and parses it. In a file (file.go), a template or a text that is no object is searched
//     for what has to change, and is not edited (unreadable.go, text_scan.go, descriptions.go). Kustomizations and
//     their patches are left out of a stream (stream.go).
//  2. The document is a claim or a template, a list of objects (lists.go), or an object of another kind (document.go).
//     Its duplicate keys are reported (duplicate_keys.go).
//  3. A claim is converted (claim.go). In fields that are not strings, placeholders replace variables until
//     step 5 (variables.go).
//  4. The result is checked. These checks reject it: a request for deallocation that would be lost (deallocation.go),
//     configuration that is too large (size_limits.go), nulls that would be lost and the rules of a release
//     (rejection_reasons.go), a patch whose base is not converted (kustomize_bases.go), and preserved data that no
//     driver reads (preserved_data.go). Other losses are warnings.
//  5. The variables are written back. Empty values that the author wrote are restored (omitted_fields.go).
//  6. An object of another kind (related_object.go) gets other changes instead: the claims of its pods (pod_claims.go),
//     its version (related_kinds.go), and the label of a namespace (admin_access.go). Its references to versions and to
//     fields that moved are converted or reported (references.go, patch_references.go, moved_fields.go), among them
//     kustomize patches (kustomize.go, json_patch.go). Claims in it are converted as in steps 3 to 5
//     (nested_objects.go).
//  7. Facts are recorded in step 5, when a claim can no longer fail, and in step 6. They are compared after all input
//     is read (facts.go, same_objects.go, admin_access.go).
//  8. The text of the document is edited so that it is equivalent to the converted object (edited_text.go,
//     quantities.go). If that is not possible, a document of a file fails, and one of a stream is generated again.
package migrate

import (
	"cmp"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// convertDocument converts a document that was parsed. Its text is not edited.
func (c *Converter) convertDocument(d *yamldoc.Document) Result {
	switch {
	case d.IsList():
		return c.convertListDocument(d)
	case d.Kind == "" || d.APIVersion == "":
		return c.failedDocument(d, findings.ErrNoType)
	case !c.Groups.IsClaim(d.APIVersion, d.Kind):
		return c.convertRelatedDocument(d)
	}
	var r Result
	raw, duplicate, err := c.objectOf(d, c.Validate, &r)
	if err != nil {
		r.fail(findings.FromDocumentError(c.Input, d, err))
		return r
	}
	convert := c.convertClaim
	if c.kustomizations.IsPatch(d.File) {
		convert = c.convertClaimPatch
	}
	claim := convert(locationOf(d), raw)
	r.Include(&claim)
	r.Failed = claim.Failed
	if !claim.Failed {
		r.Object = claim.Object
		r.duplicate = duplicate
		r.reportsStrandedComments = true
		r.Changed = claim.Changed || duplicate != nil
	}
	return r
}

// failedDocument returns the result of a document that could not be read.
func (c *Converter) failedDocument(d *yamldoc.Document, err error) (r Result) {
	r.fail(findings.FromDocumentError(c.Input, d, err))
	return r
}

// convertListDocument converts a list in memory. An item that fails is left out.
func (c *Converter) convertListDocument(d *yamldoc.Document) (r Result) {
	var duplicate error
	if !c.Validate && !d.IsJSON() {
		duplicate = c.reportDuplicates(d, &r)
	}
	list, err := d.List(c.Validate && !d.IsJSON() && c.Groups.IsList(d.APIVersion, d.Kind))
	if err != nil {
		r.fail(findings.FromDocumentError(c.Input, d, err))
		return r
	}
	converted, readErr := c.convertList(locationOf(d), list, topLevel)
	if readErr != nil {
		converted.report(findings.FromDocumentError(c.Input, d, readErr))
	}
	r.Include(&converted)
	r.Object = converted.Object
	r.duplicate = cmp.Or(duplicate, converted.duplicate)
	r.Changed = converted.Changed || converted.Findings.Failed() > 0 || r.duplicate != nil
	return r
}

// convertRelatedDocument converts a document of another kind.
func (c *Converter) convertRelatedDocument(d *yamldoc.Document) (r Result) {
	text := d.Text
	if d.IsJSON() || !c.KeepText { // an unchanged object is written as Object, and not as Text
		object, err := c.objectToWrite(d, &r)
		if err != nil {
			r.fail(findings.FromDocumentError(c.Input, d, err))
			return r
		}
		r.Object = object
		text = object
	}
	converted := c.convertRelated(locationOf(d), d.APIVersion, d.Kind, text, nil)
	r.Include(&converted)
	r.Changed = converted.Changed
	r.Failed = converted.Failed
	if converted.Changed {
		r.Object = converted.Object
	}
	return r
}

// objectToWrite returns a document of another kind as JSON, for an output that does not keep its text.
func (c *Converter) objectToWrite(d *yamldoc.Document, r *Result) ([]byte, error) {
	isJSONToYAML := d.IsJSON() && !c.InPlace && c.KeepText
	if isJSONToYAML { // YAML must not have duplicate keys
		object, _, err := c.objectOf(d, c.Validate, r)
		return object, err
	}
	return d.Object(c.Validate && !d.IsJSON())
}

// headerOf returns the header of an object, as far as it can be read.
func headerOf(object []byte) conversion.Header {
	h, _ := conversion.ReadHeader(object)
	return h
}
