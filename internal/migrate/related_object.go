package migrate

import (
	"bytes"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// relatedObject is the conversion of an object that is not a claim: of one that may have to change when claims change,
// such as a class or a pod, or of one that looks like a misspelled claim.
type relatedObject struct {
	*Converter
	location
	apiVersion, kind string // as they are written
	header           conversion.Header
	object           []byte
	root             *jsonNode
	kindFinding      *kindFinding // about its kind or version, nil if there is none
	edits            []Edit
	ownEdits         int                // edits outside of nested objects, which have their own counts
	failures         []findings.Finding // about values that need manual changes; if there are any, no edit is applied
	result           Result

	isPatchFile      bool // the file holds a JSON patch
	hasReplacements  bool // a kustomization names the file for replacements
	dependsOnVersion bool // a target or a patch depends on the version
	hasAdminLabel    bool // the conversion renamed a label, which now allows adminAccess
}

// asSubject returns the object as the subject of findings.
func (o *relatedObject) asSubject() findings.Subject { return o.subject(o.header) }

// replace adds an edit that replaces a value of the object. It reports nothing, and does not count the edit.
func (o *relatedObject) replace(t *jsonNode, replacement []byte) {
	o.edits = append(o.edits, Edit{t.begin, t.end, replacement})
}

// replaceAndReport replaces a value of the object that depends on the version, and reports the change.
func (o *relatedObject) replaceAndReport(t *jsonNode, replacement []byte, rule findings.Rule, field, message string) {
	o.replace(t, replacement)
	o.ownEdits++
	o.result.report(o.asSubject().NewFixed(rule, field, message))
}

// warn reports a warning about a value.
func (o *relatedObject) warn(rule findings.Rule, t *jsonNode, message string) {
	o.result.report(o.asSubject().New(findings.Warning, rule, t.path(), message))
}

// fail reports an error at a value.
func (o *relatedObject) fail(rule findings.Rule, t *jsonNode, message string) {
	o.failures = append(o.failures, o.asSubject().New(findings.Error, rule, t.path(), message))
}

// warnOrFail reports a value that needs a manual change: as an error if it changes the result of a kustomize build, and
// otherwise as a warning.
func (o *relatedObject) warnOrFail(rule findings.Rule, t *jsonNode, message string) {
	if o.changesBuild(t) {
		o.fail(rule, t, message+"; change it by hand")
		return
	}
	o.warn(rule, t, message)
}

// convertRelated converts an object that is not a claim. The text is that of the object, in YAML or JSON. If object is
// nil, the object is read from the document, but only if its type or its text shows that it may have to change.
func (c *Converter) convertRelated(in location, apiVersion, kind string, text, object []byte) (r Result) {
	o := &relatedObject{Converter: c, location: in, apiVersion: apiVersion, kind: kind, object: object}
	o.kindFinding = c.findingOfKind(apiVersion, kind)
	mayHaveReferences := mentionsClaims(text) || o.isKustomization()
	if o.kindFinding == nil && !c.isClass(apiVersion, kind) && !mayHaveReferences { // the usual case
		r.Counts.Others++
		return r
	}
	isUntyped := apiVersion == "" && kind == ""
	o.hasReplacements = c.InPlace && isUntyped && c.kustomizations.ReplacementsDir(in.position.File) != ""
	if err := o.read(); err != nil {
		o.result.Counts.Others++
		return o.result // unreadable: unchanged, as other objects are, and left to the API server to reject
	}
	if o.kindFinding != nil && o.kindFinding.rule.Info().Severity == findings.Error {
		o.result.fail(o.asSubject().New(findings.Error, o.kindFinding.rule, "", o.kindFinding.reason))
		return o.result
	}
	o.result.Counts.Others++
	o.convert(mayHaveReferences)
	return o.result
}

// isKustomization reports whether the object is a kustomization or a component.
func (o *relatedObject) isKustomization() bool {
	return strings.HasPrefix(o.apiVersion, yamldoc.KustomizeGroup+"/")
}

// convert changes what can be changed, and reports everything else that has to change.
func (o *relatedObject) convert(mayHaveReferences bool) {
	unfixable := o.convertPods()
	o.convertVersion()
	o.convertAdminLabel()
	o.reportKind()
	o.recordFacts()
	o.reportPods(unfixable)
	if mayHaveReferences {
		o.convertReferences()
	}
	if len(o.failures) > 0 {
		o.result.fail(o.failures...)
		return
	}
	switch {
	case o.ownEdits > 0:
		o.result.Counts.OthersChanged++
	case o.hasTargetForm():
		o.result.Counts.OthersCurrent++
	}
	o.result.Object = ApplyEdits(o.object, outermost(o.edits))
	o.result.Changed = len(o.edits) > 0
}

// reportKind reports that an object of this kind needs attention.
func (o *relatedObject) reportKind() {
	if o.kindFinding == nil || o.needsOnlyNewAPIVersion() {
		return
	}
	field := ""
	if o.kind == deviceClass && o.hasSameFieldsIn(o.version) {
		field = o.fieldOfClass()
	}
	o.result.report(o.asSubject().NewSentence(findings.Warning, o.kindFinding.rule, field, o.kindFinding.reason))
}

// recordFacts records facts that are compared after all input is read.
func (o *relatedObject) recordFacts() {
	if o.isClass(o.apiVersion, o.kind) {
		o.recordObject(o.asSubject(), o.object, &o.result)
	}
	if o.InPlace && o.isKustomization() {
		o.result.Facts.add(kindKustomizations, fact{subject: findings.Subject{Position: o.position}})
	}
	if o.allowsAdminAccess() {
		o.result.Facts.add(kindLabeledNamespaces, fact{subject: o.asSubject()})
	}
}

// read parses the object and its header.
func (o *relatedObject) read() (err error) {
	if o.object == nil {
		if o.document.Node != nil {
			o.object, _, err = o.objectOf(o.document, false, &o.result)
		} else {
			o.object, err = o.document.Object(false)
		}
		if err != nil {
			return err
		}
	}
	if o.hasReplacements { // the file may hold a list, which has no header
		o.header = titleOfFile("replacements", o.position.File)
		o.root = parseNode(o.object)
		return nil
	}
	if o.header, err = conversion.ReadHeader(o.object); err != nil {
		return err
	}
	h := &o.header
	switch {
	case o.apiVersion == "" && o.kind == "":
		o.header = conversion.Header{} // messages name only the position
	case h.Kind == "" || h.Version == "": // kustomize fills it in
		typed := findings.HeaderOf(&yamldoc.Document{APIVersion: o.apiVersion, Kind: o.kind})
		h.Group, h.Version, h.Kind = typed.Group, typed.Version, typed.Kind
	}
	o.root = parseNode(o.object)
	return nil
}

// titleOfFile returns a header for findings about a file that holds no object. It is printed as "WHAT of FILE".
func titleOfFile(what, file string) conversion.Header {
	return conversion.Header{Kind: what, Name: "of " + file}
}

// mentionsClaims reports whether a text may be about claims, by words that patches and selectors of claims have.
func mentionsClaims(text []byte) bool {
	words := []string{
		api.Group, api.KindClaim, "devices/requests", "devices.requests", "/resourceClassName", podClaims,
		"admin-access",
	}
	return slices.ContainsFunc(words, func(word string) bool { return bytes.Contains(text, []byte(word)) })
}

// convertPods moves the fields with which pods refer to their claims. It returns the entries that need manual changes.
func (o *relatedObject) convertPods() (unfixable []podClaim) {
	withoutSource := api.HasDevices(o.version)
	message := "is written below source, where Kubernetes 1.30 and earlier have it"
	if withoutSource {
		message = "its fields are moved next to the name, as in Kubernetes 1.31 and later"
	}
	for _, found := range o.misplacedPodClaims(withoutSource) {
		if found.isFixable {
			o.replaceAndReport(found.entry, found.moved, findings.PodClaimSource, found.path, message)
		} else {
			unfixable = append(unfixable, found)
		}
	}
	return unfixable
}

// convertVersion changes the version of a class or a slice that has the same fields in the target version.
func (o *relatedObject) convertVersion() {
	isOther := func(t *jsonNode) bool { return t.name != "apiVersion" }
	apiVersions := slices.DeleteFunc(slices.Clone(o.root.children), isOther)
	if len(apiVersions) != 1 || !o.needsOnlyNewAPIVersion() { // a duplicate apiVersion is ambiguous
		return
	}
	if reason := o.unconvertedBaseOfPatch(o.position.File); reason != "" {
		o.failures = append(o.failures, unconvertedInPatch(o.asSubject(), reason))
		return
	}
	version := versionIn(o.apiVersion)
	o.result.Facts.recordVersion(version)
	o.replace(apiVersions[0], objectjson.Quote(api.Group+"/"+o.version))
	o.ownEdits++
	o.result.report(o.fixedVersion(o.asSubject(), relatedKinds[o.kind].rule, version))
}

// hasTargetForm reports whether the form of the object depends on the version, and is already that of the target.
func (o *relatedObject) hasTargetForm() bool {
	return o.allowsAdminAccess() ||
		o.apiVersion == api.Group+"/"+o.version && o.hasSameFieldsIn(o.version) ||
		o.hasPodClaimsInTargetForm() ||
		o.isKustomizeFile() && o.dependsOnVersion
}

// hasPodClaimsInTargetForm reports whether a pod refers to a claim in the form of the target: an entry that a
// conversion to the other form would change.
func (o *relatedObject) hasPodClaimsInTargetForm() bool {
	isOtherForm := !api.HasDevices(o.version)
	isFixable := func(found podClaim) bool { return found.isFixable }
	return slices.ContainsFunc(o.misplacedPodClaims(isOtherForm), isFixable)
}

// recordObject notes an object of the group that is a whole document of a file.
func (c *Converter) recordObject(s findings.Subject, object []byte, r *Result) {
	isWhole := len(s.Position.Items) == 0 && s.Position.Path == "" &&
		!bytes.Contains(object, objectjson.Quote(patchDirective)) && !c.kustomizations.IsPatch(s.Position.File)
	if c.InPlace && isWhole && s.Header.Group == api.Group && !yamldoc.IsMarkdown(s.Position.File) {
		r.Facts.add(kindObjectsInFiles, fact{subject: s})
	}
}
