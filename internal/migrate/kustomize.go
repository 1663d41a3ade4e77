package migrate

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/kustomization"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// kustomize applies a patch to the objects that its target selects. A target can have a version. After its base is
// converted, a target of another version selects nothing, and kustomize does not report that. Therefore targets and
// patches in a kustomization are converted together with the objects that they select. A target or patch that cannot be
// converted is an error.

// isKustomizeFile reports whether kustomize reads the object in its file: a kustomization, a component, a transformer,
// or a file with replacements.
func (o *relatedObject) isKustomizeFile() bool {
	isKustomize := strings.HasPrefix(o.apiVersion, yamldoc.KustomizeGroup+"/") || o.apiVersion == "builtin"
	return o.InPlace && (isKustomize || o.hasReplacements)
}

// convertReplacementsFile converts a list that a kustomization names as a file with replacements.
func (c *Converter) convertReplacementsFile(e *yamldoc.NotObjectError) (r Result, isReplacements bool) {
	d := e.Document
	if !c.InPlace || c.kustomizations.ReplacementsDir(d.File) == "" {
		return r, false
	}
	raw, err := d.Object(false)
	if err != nil || !mentionsClaims(raw) {
		return r, false
	}
	return c.convertRelated(locationOf(d), "", "", raw, raw), true
}

// gitOpsGroups are the API groups whose objects can contain kustomize patches: Flux and Argo CD.
var gitOpsGroups = []string{"kustomize.toolkit.fluxcd.io", "argoproj.io"}

// changesBuild reports whether a value that refers to another version changes the result of a kustomize build after the
// conversion.
func (o *relatedObject) changesBuild(t *jsonNode) bool {
	switch {
	case !o.InPlace:
		return false
	case o.isKustomizeFile(), o.isPatchFile:
		return true
	case !slices.Contains(gitOpsGroups, o.header.Group):
		return false
	}
	for at := t; at != nil; at = at.parent {
		if slices.Contains(patchLists, at.name) {
			return true
		}
	}
	return false
}

// patchLists are the fields in which a kustomization has patches.
var patchLists = []string{"patches", "patchesStrategicMerge", "patchesJson6902"}

// selectableKinds are the kinds that are converted, as the target of a patch may select them.
var selectableKinds = []string{api.KindClaim, api.KindTemplate, deviceClass}

// matches reports whether a field of a target selects a text: fields are regular expressions that match all of it.
func matches(pattern, text string) bool {
	expression, err := regexp.Compile("^(?:" + pattern + ")$")
	return pattern == text || err == nil && expression.MatchString(text)
}

// selectsConverted reports whether a target or a selector may select objects that are converted. One that names no
// group selects them by kind.
func selectsConverted(target *jsonNode) bool {
	group, kind := target.textOf("group"), target.textOf("kind")
	switch {
	case target.member("group") != nil && !matches(group, api.Group):
		return false
	case kind == "":
		return group != ""
	}
	return slices.ContainsFunc(selectableKinds, func(name string) bool { return matches(kind, name) })
}

// selectsOnlyOtherVersions reports whether the version of a target selects known versions, but not the target version.
func (o *relatedObject) selectsOnlyOtherVersions(version string) bool {
	if version == "" || matches(version, o.version) {
		return false
	}
	return slices.ContainsFunc(conversion.Versions(), func(name string) bool { return matches(version, name) })
}

// fixInKustomization is replaceAndReport for a value of a kustomization. It is an error if a base of the kustomization
// is not converted.
func (o *relatedObject) fixInKustomization(rule findings.Rule, t *jsonNode, replacement []byte, message string) {
	if reason := o.unconvertedBase(); reason != "" {
		o.fail(rule, t, message+", and is unchanged, because "+reason)
		return
	}
	o.replaceAndReport(t, replacement, rule, t.path(), message)
}

// isPatchText reports whether a value of a kustomization holds patches as text.
func isPatchText(t *jsonNode) bool {
	isItem := t.parent != nil && t.parent.name == "patchesStrategicMerge"
	isPatch := isItem || slices.Contains([]string{"patch", "patches", "jsonOp"}, t.name)
	return isPatch && strings.ContainsAny(t.text, "\n{[")
}

// convertPatchText converts the patches in a text: operations of a JSON patch, or parts of objects.
func (o *relatedObject) convertPatchText(t *jsonNode) {
	offset := o.lineBefore(t)
	padding := strings.Repeat("\n", offset) // so that the lines of the text have their numbers in the file
	text := []byte(padding + t.text)
	var edits []Edit
	for d, err := range yamldoc.Documents(text, "patch") {
		converted, isKnown := o.convertPatchDocument(t, d, err)
		if !isKnown {
			o.reportMentionsIn(t)
			return
		}
		if converted != nil {
			_, begin, end := d.Source()
			edits = append(edits, Edit{begin, end, converted})
		}
	}
	if len(edits) == 0 {
		return
	}
	converted := ApplyEdits(text, edits)[len(padding):]
	o.fixInKustomization(findings.MovedField, t, objectjson.Quote(string(converted)), "is a patch of another version")
}

// lineBefore returns the number of the line before the text of a value, or 0 if that is not known.
func (o *relatedObject) lineBefore(t *jsonNode) int {
	first, _, _ := strings.Cut(t.text, "\n")
	begin, _ := o.locate(t.path())
	for _, line := range []int{begin + 1, begin} {
		if strings.TrimSpace(string(o.document.TextLine(line))) == strings.TrimSpace(first) {
			return line - 1
		}
	}
	return 0
}

// convertPatchDocument converts one document of a patch that is a text. The returned text is nil if the document is
// unchanged. isKnown is false if it cannot be read or has no type.
func (o *relatedObject) convertPatchDocument(t *jsonNode, d *yamldoc.Document, err error) (text []byte, isKnown bool) {
	if notObject := asNotObject(err); notObject != nil && notObject.IsJSONPatch() {
		return o.convertJSONPatchText(t, notObject.Document), true
	}
	if err != nil || d.IsList() || d.Kind == "" || d.APIVersion == "" {
		return nil, false
	}
	object, err := d.Object(false)
	if err != nil {
		return nil, false
	}
	in := o.patch(t.path(), d)
	d.Position = in.position
	var r Result
	if o.Groups.IsClaim(d.APIVersion, d.Kind) {
		r = o.convertClaimPatch(in, object)
	} else {
		r = o.Converter.convertRelated(in, d.APIVersion, d.Kind, object, object)
	}
	r.reportsStrandedComments = true
	o.editInFile(d, &r)
	o.result.Include(&r)
	return r.Text, true
}

// convertJSONPatchText converts a JSON patch in a text. It returns nil if the patch is unchanged.
func (o *relatedObject) convertJSONPatchText(t *jsonNode, d *yamldoc.Document) []byte {
	operations, err := d.Object(false)
	if err != nil {
		return nil
	}
	target := t.parent.member("target")
	hasKind := target != nil && target.textOf("kind") != ""
	if hasKind && !isForClaimsOrPods(target, operations) {
		o.reportMentions(t, false) // claims in objects of other kinds may have any fields
		return nil
	}
	converted, patch := convertPatchOperations(operations, o.version)
	o.dependsOnVersion = o.dependsOnVersion || patch.dependsOnVersion
	switch {
	case patch.problem != nil:
		o.fail(findings.MovedField, t, patch.why+"; change the patch by hand")
		return nil
	case len(patch.edits) == 0:
		return nil
	}
	edited := Result{Object: converted, reportsStrandedComments: true}
	text, err := o.textInFile(d, &edited)
	o.result.Include(&edited)
	if err != nil {
		o.fail(findings.MovedField, t, err.Error())
		return nil
	}
	return text
}

// isForClaimsOrPods reports whether a JSON patch is for objects whose fields are known: claims, or objects with pods.
func isForClaimsOrPods(target *jsonNode, operations []byte) bool {
	return selectsConverted(target) || bytes.Contains(operations, []byte(podClaims))
}

// convertJSONPatchFile converts a document that is not an object, if it is a JSON patch. In a stream it is unchanged.
func (c *Converter) convertJSONPatchFile(e *yamldoc.NotObjectError) (r Result, isPatch bool) {
	if !e.IsJSONPatch() {
		return r, false
	}
	raw, err := e.Document.Object(false)
	if err != nil {
		return r, false // the caller reports the error
	}
	o := &relatedObject{Converter: c, location: locationOf(e.Document), object: raw, root: parseNode(raw)}
	o.header = titleOfFile("JSON patch", e.Document.File)
	o.isPatchFile = c.InPlace
	if o.isPatchFile {
		o.convertPatchFile()
	} else {
		o.convertReferences()
	}
	if len(o.failures) > 0 {
		o.result.fail(o.failures...)
	}
	return o.result, true
}

// convertPatchFile converts a file that holds a JSON patch.
func (o *relatedObject) convertPatchFile() {
	if o.isForOtherKinds() {
		o.isPatchFile = false
		o.convertReferences()
		return
	}
	converted, patch := convertPatchOperations(o.object, o.version)
	reason := o.unconvertedBaseOfPatch(o.position.File)
	switch {
	case patch.problem != nil:
		o.fail(findings.MovedField, patch.problem, patch.why+"; change the patch by hand")
	case len(patch.edits) > 0 && reason != "":
		o.fail(findings.MovedField, o.root, "is a patch of another version, and is unchanged, because "+reason)
	case len(patch.edits) > 0:
		o.result.Counts.OthersChanged++
		o.result.report(o.asSubject().NewFixed(findings.MovedField, "", "is a patch of another version"))
		o.result.Object = converted
		o.result.Changed = true
		o.result.reportsStrandedComments = true
	case patch.dependsOnVersion:
		o.result.Counts.OthersCurrent++
	}
}

// isForOtherKinds reports whether a kustomization names the file as a patch of other kinds only, whose fields are not
// known.
func (o *relatedObject) isForOtherKinds() bool {
	targets := o.kustomizations.PatchTargets(o.position.File)
	mayBeClaim := func(t kustomization.Target) bool {
		if t.Group != "" && !matches(t.Group, api.Group) {
			return false
		}
		isKind := func(name string) bool { return matches(t.Kind, name) }
		return t.Kind == "" || slices.ContainsFunc(selectableKinds, isKind)
	}
	isOfPods := bytes.Contains(o.object, []byte(podClaims))
	return !isOfPods && len(targets) > 0 && !slices.ContainsFunc(targets, mayBeClaim)
}
