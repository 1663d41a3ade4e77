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

// related is an object of another kind, while it is converted. It may have been meant as a claim, or has to change when
// claims change: here, or by hand.
type related struct {
	*Converter
	source
	apiVersion, kind string // as they are written
	header           conversion.Header
	object           []byte
	root             *tree
	edits            []Edit
	failures         []findings.Finding // about values that need manual changes
	result           Result

	isPatchFile     bool // the file holds a JSON patch
	hasReplacements bool // a kustomization names the file for replacements
	isEdited        bool // a target or a patch is converted
	hasVersions     bool // a target or a patch depends on the version
}

// about returns the object as the subject of findings.
func (o *related) about() findings.Subject { return o.subject(o.header) }

// replace adds an edit that replaces a value of the object.
func (o *related) replace(t *tree, with []byte) {
	o.edits = append(o.edits, Edit{t.begin, t.end, with})
}

// fixed replaces a value of the object, which is right then.
func (o *related) fixed(t *tree, with []byte, rule findings.Rule, field, message string) {
	o.replace(t, with)
	o.result.report(o.about().NewFixed(rule, field, message))
}

// warn reports a warning about a value.
func (o *related) warn(rule findings.Rule, t *tree, message string) {
	o.result.report(o.about().New(findings.Warning, rule, t.path(), message))
}

// mustChange reports an error at a value.
func (o *related) mustChange(rule findings.Rule, t *tree, message string) {
	o.failures = append(o.failures, o.about().New(findings.Error, rule, t.path(), message))
}

// warnOrFail reports a value that has to change: as an error if it changes the result of a build, and otherwise as a
// warning.
func (o *related) warnOrFail(rule findings.Rule, t *tree, message string) {
	if o.changesBuild(t) {
		o.mustChange(rule, t, message+"; change it by hand")
		return
	}
	o.warn(rule, t, message)
}

// related converts an object of another kind. The text is that of the object, in YAML or JSON. Without an object, it is
// read from the document, if the text has to do with claims.
func (c *Converter) related(in source, apiVersion, kind string, text, object []byte) (r Result) {
	unconverted := c.unconvertedKind(apiVersion, kind)
	isClass := c.isClass(apiVersion, kind)
	isKustomization := strings.HasPrefix(apiVersion, yamldoc.KustomizeGroup+"/") // or a component
	hasMentions := mentionsClaims(text) || isKustomization
	if unconverted == nil && !isClass && !hasMentions { // the usual case
		r.Counts.Others++
		return r
	}
	o := &related{Converter: c, source: in, apiVersion: apiVersion, kind: kind, object: object}
	isUntyped := apiVersion == "" && kind == ""
	o.hasReplacements = c.InPlace && isUntyped && c.kustomizations.FolderOfReplacements(in.position.File) != ""
	if err := o.read(); err != nil {
		o.result.Counts.Others++
		return o.result // it passes through
	}
	if unconverted != nil && unconverted.rule.About().Severity == findings.Error {
		o.result.fail(o.about().New(findings.Error, unconverted.rule, "", unconverted.reason))
		return o.result
	}
	o.result.Counts.Others++
	o.convert(unconverted, isClass, isKustomization, hasMentions)
	return o.result
}

// convert changes what can be changed, and reports everything else that has to change.
func (o *related) convert(unconverted *unconvertedKind, isClass, isKustomization, hasMentions bool) {
	wrongClaims := o.fixPods()
	o.fixVersion()
	allowsAdminAccess := o.namespace()
	if unconverted != nil && !o.needsVersion() {
		field := ""
		if o.kind == newClass && o.isShaped(o.to) {
			field = o.fieldOfClass()
		}
		o.result.report(o.about().NewSentence(findings.Warning, unconverted.rule, field, unconverted.reason))
	}
	if isClass {
		o.objectInFile(o.about(), o.object, &o.result)
	}
	if o.InPlace && isKustomization {
		o.result.Facts.add(kustomizations, fact{subject: findings.Subject{Position: o.position}})
	}
	o.reportPods(wrongClaims)
	isChanged := len(o.edits) > 0
	if hasMentions {
		o.references()
	}
	if len(o.failures) > 0 {
		o.result.fail(o.failures...)
		return
	}
	wouldChange := allowsAdminAccess || o.isFixed() || o.isKustomizeFile() && o.hasVersions
	if isChanged || o.isEdited {
		o.result.Counts.Fixed++
	} else if wouldChange {
		o.result.Counts.Right++
	}
	o.result.Object, o.result.Changed = ApplyEdits(o.object, outermost(o.edits)), len(o.edits) > 0
}

// read parses the object and its header.
func (o *related) read() (err error) {
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
	if o.hasReplacements { // it may be a list
		o.header = conversion.Header{Kind: "replacements", Name: "of " + o.position.File}
		o.root = treeOf(o.object)
		return nil
	}
	if o.header, err = conversion.ReadHeader(o.object); err != nil {
		return err
	}
	h := &o.header
	if o.apiVersion == "" && o.kind == "" {
		h.Kind, h.Name = "object", "without a type"
	} else if h.Kind == "" || h.Version == "" { // kustomize fills it in
		typed := findings.HeaderOf(&yamldoc.Document{APIVersion: o.apiVersion, Kind: o.kind})
		h.Group, h.Version, h.Kind = typed.Group, typed.Version, typed.Kind
	}
	o.root = treeOf(o.object)
	return nil
}

// mentionsClaims reports whether a text may be about claims, by words that patches and selectors of claims have.
func mentionsClaims(text []byte) bool {
	words := []string{
		api.Group, api.KindClaim, "devices/requests", "devices.requests", "/resourceClassName", podClaims,
		"admin-access",
	}
	return slices.ContainsFunc(words, func(word string) bool { return bytes.Contains(text, []byte(word)) })
}

// fixPods moves the fields with which pods refer to their claims. It returns the entries that need manual changes.
func (o *related) fixPods() (wrong []podClaim) {
	flat, message := api.HasDevices(o.to), "is written below source, where Kubernetes 1.30 and earlier have it"
	if flat {
		message = "its fields are moved next to the name, as in Kubernetes 1.31 and later"
	}
	for _, found := range o.wrongPodClaims(flat) {
		if found.isFixed {
			o.fixed(found.entry, found.moved, findings.PodClaims, found.path, message)
		} else {
			wrong = append(wrong, found)
		}
	}
	return wrong
}

// fixVersion changes the version of a class or a slice that has the same fields in the target version.
func (o *related) fixVersion() {
	types := slices.DeleteFunc(slices.Clone(o.root.children), func(t *tree) bool { return t.name != "apiVersion" })
	if len(types) != 1 || !o.needsVersion() { // a duplicate apiVersion is ambiguous
		return
	}
	if reason := o.unconvertedBaseOfPatch(o.position.File); reason != "" {
		o.failures = append(o.failures, unconvertedInPatch(o.about(), reason))
		return
	}
	version := versionIn(o.apiVersion)
	o.result.Facts.convertedFrom(version)
	o.replace(types[0], objectjson.Quote(api.Group+"/"+o.to))
	o.result.report(o.fixedVersion(o.about(), relatedKinds[o.kind].rule, version))
}

// isFixed reports whether the object would be fixed in the conversion to another version.
func (o *related) isFixed() bool {
	return o.apiVersion == api.Group+"/"+o.to && o.isShaped(o.to) ||
		slices.ContainsFunc(o.wrongPodClaims(!api.HasDevices(o.to)), func(found podClaim) bool {
			return found.isFixed
		})
}

// objectInFile notes an object of the group that is a whole document of a file.
func (c *Converter) objectInFile(s findings.Subject, object []byte, r *Result) {
	isWhole := len(s.Position.Items) == 0 && s.Position.Path == "" &&
		!bytes.Contains(object, objectjson.Quote(patchDirective)) && !c.kustomizations.Has(s.Position.File)
	if c.InPlace && isWhole && s.Header.Group == api.Group && !yamldoc.IsMarkdown(s.Position.File) {
		r.Facts.add(objectsInFiles, fact{subject: s})
	}
}
