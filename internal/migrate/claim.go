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

// claim is a claim or a template while it is converted.
type claim struct {
	source
	raw, converted []byte
	report         conversion.Report
	hasTarget      bool                   // it already has the target version
	variables      []variables.TypedValue // in fields that are not strings; converted has placeholders for them
}

// about returns the claim as the subject of findings. Its header is read only if there is a finding.
func (o *claim) about() findings.Subject { return o.subject(headerOf(o.raw)) }

// isMerged reports whether the claim is merged with another object: a patch, or an object in another one.
func (c *Converter) isMerged(o *claim) bool {
	return o.position.Path != "" || c.kustomizations.Has(o.position.File)
}

// claim converts a claim or a template.
func (c *Converter) claim(in source, raw []byte) Result {
	r := Result{Counts: Counts{Claims: 1}}
	o, err := c.convert(in, raw)
	unknown := unknownFields(o, err)
	if slices.ContainsFunc(unknown, claims.IsPatchDirective) {
		c.mergePatch(o, unknown, &r)
		return r
	}
	if err != nil {
		header, unreadable := conversion.ReadHeader(raw)
		r.fail(in.subject(header).OfConversionError(cmp.Or(unreadable, err))...)
		return r
	}
	objections := c.objections(o)
	isAccepted := !c.Strict || len(objections) == 0
	// kustomize leaves out a patch for another version without a message, so this is an error also if c.Strict is false.
	if reason := c.unconvertedBaseOfPatch(o.position.File); reason != "" && !o.hasTarget {
		objections, isAccepted = append(objections, unconvertedInPatch(o.about(), reason)), false
	}
	if isAccepted {
		r.report(objections...)
		r.report(c.losses(o)...)
		r.report(c.notes(o)...)
	} else {
		r.fail(objections...)
	}
	if c.To.Release != "" {
		r.report(c.droppedFields(o)...)
	}
	if !isAccepted || !c.checkPreservedData(o, &r) || !c.restoreVariables(o, &r) {
		return r
	}
	c.countWritten(o, &r)
	if !o.hasTarget {
		o.converted = c.asAuthored(o)
	}
	r.Object, r.Changed = o.converted, !o.hasTarget
	return r
}

// claimPatch converts a strategic merge patch of a claim or template. A patch that deletes the whole object has no
// fields, so only its apiVersion is converted.
func (c *Converter) claimPatch(in source, raw []byte) Result {
	header, err := conversion.ReadHeader(raw)
	_, isKnown := api.Find(header.Version)
	if err != nil || !isKnown || !isDeletion(raw) {
		return c.claim(in, raw)
	}
	r := Result{Counts: Counts{Claims: 1}}
	o := &claim{source: in, raw: raw, hasTarget: header.Version == c.to}
	o.report.Version = header.Version
	if reason := c.unconvertedBaseOfPatch(in.position.File); reason != "" && !o.hasTarget {
		r.fail(unconvertedInPatch(o.about(), reason))
		return r
	}
	apiVersion := treeOf(raw).member("apiVersion")
	o.converted = ApplyEdits(raw, []Edit{
		{apiVersion.begin, apiVersion.end, objectjson.Quote(header.Group + "/" + c.to)},
	})
	c.countWritten(o, &r)
	r.Object, r.Changed = o.converted, !o.hasTarget
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

// patchDirective is the member of a strategic merge patch that says what to do with an object.
const patchDirective = "$patch"

// unknownFields returns the unknown fields of a claim, which are an error only if the conversion is strict.
func unknownFields(o *claim, err error) []string {
	if e, ok := errors.AsType[*conversion.UnknownFieldError](err); ok {
		return e.Fields
	}
	return o.report.Unknown
}

// mergePatch adds the result of an object that looks like a claim and has directives of a strategic merge patch.
// Without the directives, it would create an object instead of deleting one, so it needs manual changes. It is
// unchanged if it has the target version and no other unknown field.
func (c *Converter) mergePatch(o *claim, unknown []string, r *Result) {
	unknownValues := slices.DeleteFunc(slices.Clone(unknown), claims.IsPatchDirective)
	switch {
	case !o.hasTarget:
		const text = "makes this a strategic-merge patch and no claim: change its apiVersion, and the fields that it " +
			"patches, by hand"
		first := unknown[slices.IndexFunc(unknown, claims.IsPatchDirective)]
		r.fail(o.about().New(findings.Error, findings.StrategicMergePatch, first, text))
	case len(unknownValues) > 0:
		r.fail(o.about().OfConversionError(&conversion.UnknownFieldError{Fields: unknownValues})...)
	default:
		r.Counts.Unchanged++
		r.Object = o.raw
	}
}

// losses returns warnings about data of a claim that is lost.
func (c *Converter) losses(o *claim) (all []findings.Finding) {
	warn := func(rule findings.Rule, field, message string) {
		all = append(all, o.about().New(findings.Warning, rule, field, message))
	}
	for _, field := range o.report.Unknown {
		rule, what, _ := findings.WrongField(headerOf(o.raw), field)
		warn(rule, field, "dropped: "+what)
	}
	for _, field := range o.report.Lost {
		if (!isDeallocation(field) || !c.Strict) && !c.rejectsLoss() {
			warn(findings.FieldLost, field, "dropped, "+c.to+" has no place for it")
		}
	}
	for _, leftover := range slices.Concat(o.report.Ignored, o.report.Stale) {
		warn(findings.LeftoverIgnored, "", "leftover ignored: "+leftover)
	}
	if o.report.Incomplete != "" {
		warn(findings.LeftoversDoNotFit, o.report.Incomplete,
			"leftovers dropped, annotations have no room for them; do not write this copy back")
	}
	return all
}

// rejectsLoss reports whether it is an error if the version has no field for a value: nothing would restore it.
func (c *Converter) rejectsLoss() bool { return c.Strict && c.InPlace && !c.AcceptLeftovers }

// notes returns the lines of --explain: which fields moved, and which data is preserved.
func (c *Converter) notes(o *claim) (all []findings.Finding) {
	if !c.Explain {
		return nil
	}
	note := func(args ...any) { all = append(all, findings.NewNote(fmt.Sprint(args...))) }
	if o.hasTarget {
		note(o.position, ": ", headerOf(o.raw), ": has version ", c.to, " already")
		return all
	}
	note(o.position, ": ", headerOf(o.raw), ": ", o.report.Version, " to ", c.to)
	moves, err := conversion.Explain(o.raw, c.to)
	for _, move := range moves {
		note("  moved    ", move)
	}
	if err != nil { // the conversion succeeded, so this error is about an intermediate version
		note("  and more: ", err)
	}
	for _, leftover := range o.report.Preserved {
		note("  carried  ", leftover)
	}
	return all
}

// countWritten counts a claim that is written, and adds the facts about it and its finding for reports.
func (c *Converter) countWritten(o *claim, r *Result) {
	// The namespace of the claim may follow later in the input, so the label is checked after all input is read.
	needsLabel := o.report.Group == api.Group && len(release.AdminLabels(c.To)) > 0
	about := o.about()
	if needsLabel && bytes.Contains(o.converted, []byte(`"adminAccess"`)) && release.RequestsAdminAccess(o.converted) {
		r.Facts.add(adminClaims, fact{subject: about})
	}
	c.objectInFile(about, o.raw, r)
	if o.hasTarget {
		r.Counts.Unchanged++
		return
	}
	r.Counts.Converted++
	r.Facts.convertedFrom(o.report.Version)
	r.report(c.fixedVersion(about, findings.ClaimOfAnotherVersion, o.report.Version))
}
