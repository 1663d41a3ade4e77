package migrate

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/internal/variables"
)

// claimConversion is a claim or a template while it is converted.
type claimConversion struct {
	location
	raw, converted []byte
	report         conversion.Report
	hasTarget      bool                   // it already has the target version
	variables      []variables.TypedValue // in fields that are not strings; converted has placeholders for them
}

// asSubject returns the claim as the subject of findings. It reads the header at each call, so most functions
// call it only for a finding.
func (o *claimConversion) asSubject() findings.Subject { return o.subject(headerOf(o.raw)) }

// isPartOfObject reports whether the claim is merged with another object: a patch, or an object in another one.
func (c *Converter) isPartOfObject(o *claimConversion) bool {
	return o.position.Path != "" || c.kustomizations.IsPatch(o.position.File)
}

// convertClaim converts a claim or a template.
func (c *Converter) convertClaim(in location, raw []byte) Result {
	r := Result{Counts: Counts{Claims: 1}}
	o, err := c.convertWithVariables(in, raw)
	unknown := unknownFields(o, err)
	if slices.ContainsFunc(unknown, claims.IsPatchDirective) {
		c.rejectMergePatch(o, unknown, &r)
		return r
	}
	if err != nil {
		header, headerErr := conversion.ReadHeader(raw)
		r.fail(in.subject(header).FromConversionError(cmp.Or(headerErr, err))...)
		return r
	}
	// With validation, any of these rejects the claim. Without it, they are reported as warnings.
	rejections := c.rejectionReasons(o)
	isRejected := c.Validate && len(rejections) > 0
	// kustomize leaves out a patch for another version without a message, so this is an error also without validation.
	if reason := c.reasonNotToConvertPatch(o); reason != "" {
		rejections = slices.Insert(rejections, 0, unconvertedInPatch(o.asSubject(), reason))
		isRejected = true
	}
	if isRejected {
		r.fail(rejections...)
		r.report(c.droppedFields(o)...)
		return r
	}
	r.report(c.explainNotes(o)...)
	r.report(rejections...)
	r.report(c.lossWarnings(o)...)
	r.report(c.droppedFields(o)...)
	if errs := c.preservedDataErrors(o); len(errs) > 0 {
		r.fail(errs...)
		return r
	}
	r.report(c.preservedDataWarnings(o)...)
	if err := c.restoreVariables(o); err != nil {
		r.fail(*err)
		return r
	}
	c.countConverted(o, &r)
	if !o.hasTarget {
		o.converted = c.asAuthored(o)
	}
	r.Object = o.converted
	r.Changed = !o.hasTarget
	return r
}

// convertClaimPatch converts a strategic merge patch of a claim or template. A patch that deletes the whole object has
// no fields, so only its apiVersion is converted.
func (c *Converter) convertClaimPatch(in location, raw []byte) Result {
	header, err := conversion.ReadHeader(raw)
	_, isKnown := api.Find(header.Version)
	if err != nil || !isKnown || !isDeletion(raw) {
		return c.convertClaim(in, raw)
	}
	r := Result{Counts: Counts{Claims: 1}}
	o := &claimConversion{location: in, raw: raw, hasTarget: header.Version == c.version}
	o.report.Version = header.Version
	if reason := c.reasonNotToConvertPatch(o); reason != "" {
		r.fail(unconvertedInPatch(o.asSubject(), reason))
		return r
	}
	apiVersion := parseNode(raw).member("apiVersion")
	o.converted = ApplyEdits(raw, []Edit{
		{apiVersion.begin, apiVersion.end, objectjson.Quote(header.Group + "/" + c.version)},
	})
	c.countConverted(o, &r)
	r.Object = o.converted
	r.Changed = !o.hasTarget
	return r
}

// isDeletion reports whether a strategic merge patch deletes a whole object, and has no other fields.
func isDeletion(patch []byte) bool {
	members, duplicates, err := objectjson.Members(patch)
	isContent := func(m objectjson.Member) bool {
		return !slices.Contains([]string{"apiVersion", "kind", "metadata", patchDirective}, m.Name)
	}
	return err == nil && len(duplicates) == 0 && !slices.ContainsFunc(members, isContent) &&
		string(objectjson.Get(members, patchDirective)) == `"delete"`
}

// patchDirective is the member of a strategic merge patch that says whether to merge, replace or delete an object.
const patchDirective = "$patch"

// unknownFields returns the unknown fields of a claim, which are an error only if the conversion is strict.
func unknownFields(o *claimConversion, err error) []string {
	if e, ok := errors.AsType[*conversion.UnknownFieldError](err); ok {
		return e.Fields
	}
	return o.report.Unknown
}

// rejectMergePatch rejects an object that looks like a claim and has directives of a strategic merge patch. Conversion
// would drop the directives: a patch that deletes an object would then create it. So the patch needs manual changes. A
// patch that already has the target version, and no other unknown fields, is unchanged.
func (c *Converter) rejectMergePatch(o *claimConversion, unknown []string, r *Result) {
	unknownValues := slices.DeleteFunc(slices.Clone(unknown), claims.IsPatchDirective)
	switch {
	case !o.hasTarget:
		const text = "makes this a strategic merge patch, not a claim: change its apiVersion and the patched fields " +
			"by hand"
		first := unknown[slices.IndexFunc(unknown, claims.IsPatchDirective)]
		r.fail(o.asSubject().New(findings.Error, findings.StrategicMergePatch, first, text))
	case len(unknownValues) > 0:
		r.fail(o.asSubject().FromConversionError(&conversion.UnknownFieldError{Fields: unknownValues})...)
	default:
		r.Counts.Unchanged++
		r.Object = o.raw
	}
}

// lossWarnings returns warnings about data of a claim that is lost.
func (c *Converter) lossWarnings(o *claimConversion) (all []findings.Finding) {
	warn := func(rule findings.Rule, field, message string) {
		all = append(all, o.asSubject().New(findings.Warning, rule, field, message))
	}
	for _, field := range o.report.Unknown {
		rule, what, _ := findings.WrongField(headerOf(o.raw), field)
		warn(rule, field, "dropped: "+what)
	}
	for _, field := range o.report.Lost {
		isErrorAlready := isDeallocation(field) && c.Validate || c.rejectsLoss()
		if !isErrorAlready {
			warn(findings.FieldLost, field, "dropped: "+c.version+" has no field for it")
		}
	}
	for _, data := range slices.Concat(o.report.Ignored, o.report.Stale) {
		warn(findings.LeftoverIgnored, "", "preserved data is not restored: "+data)
	}
	if o.report.Incomplete != "" {
		warn(findings.LeftoversDoNotFit, o.report.Incomplete,
			"preserved data dropped, because it exceeds the limit of annotations; do not apply this object over the "+
				"original")
	}
	return all
}

// rejectsLoss reports whether a lost field is an error. In a file, nothing restores the field later.
func (c *Converter) rejectsLoss() bool { return c.Validate && c.InPlace && !c.AcceptLeftovers }

// explainNotes returns the lines of --explain: which fields moved, and which data is preserved.
func (c *Converter) explainNotes(o *claimConversion) (all []findings.Finding) {
	if !c.Explain {
		return nil
	}
	note := func(args ...any) { all = append(all, findings.NewNote(fmt.Sprint(args...))) }
	if o.hasTarget {
		note(o.position, ": ", headerOf(o.raw), ": has version ", c.version, " already")
		return all
	}
	note(o.position, ": ", headerOf(o.raw), ": ", o.report.Version, " to ", c.version)
	moves, err := conversion.Explain(o.raw, c.version)
	for _, move := range moves {
		note("  moved      ", move)
	}
	if err != nil { // the conversion succeeded, so this error is about an intermediate version
		note("  some moves are not listed: ", err)
	}
	for _, data := range o.report.Preserved {
		note("  preserved  ", data)
	}
	return all
}

// countConverted counts a claim that is written, and adds the facts about it and its finding for reports.
func (c *Converter) countConverted(o *claimConversion, r *Result) {
	// The namespace of the claim may follow later in the input, so the label is checked after all input is read.
	needsLabel := o.report.Group == api.Group && len(release.AdminLabels(c.To)) > 0
	subject := o.asSubject()
	if needsLabel && bytes.Contains(o.converted, []byte(`"adminAccess"`)) && release.RequestsAdminAccess(o.converted) {
		r.Facts.add(kindAdminClaims, fact{subject: subject})
	}
	c.recordObject(subject, o.raw, r)
	if o.hasTarget {
		r.Counts.Unchanged++
		return
	}
	r.Counts.Converted++
	r.Facts.recordVersion(o.report.Version)
	r.report(c.fixedVersion(subject, findings.ClaimVersion, o.report.Version))
}
