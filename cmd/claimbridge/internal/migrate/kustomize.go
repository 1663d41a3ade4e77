package migrate

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/kustomization"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// Kustomize applies a patch to the objects that its target selects, by version too. Once the base
// is converted, a target of another version selects nothing, and kustomize reports nothing. So
// targets and patches in a kustomization are converted with the objects that they are for, and what
// cannot be converted is an error.

// isKustomizeFile reports whether kustomize reads the object in its file: a kustomization, a component, a transformer,
// or a file with replacements.
func (o *other) isKustomizeFile() bool {
	isKustomize := strings.HasPrefix(o.apiVersion, yamldoc.KustomizeGroup+"/") || o.apiVersion == "builtin"
	return o.inPlace != nil && (isKustomize || o.hasReplacements)
}

// replacementsFile returns what a list is to become that a kustomization names as a file with replacements.
func (p *part) replacementsFile(e *yamldoc.NotObjectError) (w wanted, isReplacements bool) {
	d := e.Document
	if p.inPlace == nil || p.patches.FolderOfReplacements(d.File) == "" {
		return w, false
	}
	raw, err := d.Object(false)
	if err != nil || !speaksOfClaims(raw) {
		return w, false
	}
	p.log.Locate, p.parsed = d.Locate, d
	w.object, w.changed, _ = p.other(d.Position, "", "", raw, raw)
	return w, true
}

// buildsFromRepository names the groups whose objects have kustomize patch what is in a repository: Flux and Argo CD.
var buildsFromRepository = []string{"kustomize.toolkit.fluxcd.io", "argoproj.io"}

// changesBuild reports whether a build has another result while a value names another version.
func (o *other) changesBuild(t *tree) bool {
	switch {
	case o.inPlace == nil:
		return false
	case o.isKustomizeFile(), o.isPatchFile:
		return true
	case !slices.Contains(buildsFromRepository, o.header.Group):
		return false
	}
	for at := t; at != nil; at = at.in {
		if slices.Contains(patchLists, at.name) {
			return true
		}
	}
	return false
}

// patchLists are the fields in which a kustomization has patches.
var patchLists = []string{"patches", "patchesStrategicMerge", "patchesJson6902"}

// kindsOfTarget are the kinds that are converted, as the target of a patch may select them.
var kindsOfTarget = []string{api.KindClaim, api.KindTemplate, newClass}

// matches reports whether a field of a target selects a text: fields are regular expressions that match all of it.
func matches(pattern, text string) bool {
	expression, err := regexp.Compile("^(?:" + pattern + ")$")
	return pattern == text || err == nil && expression.MatchString(text)
}

// selectsConverted reports whether a target or a selector may select objects that are converted. One that names no
// group selects them by kind.
func selectsConverted(target *tree) bool {
	group, kind := target.textOf("group"), target.textOf("kind")
	switch {
	case target.member("group") != nil && !matches(group, api.Group):
		return false
	case kind == "":
		return group != ""
	}
	return slices.ContainsFunc(kindsOfTarget, func(name string) bool { return matches(kind, name) })
}

// selectsOther reports whether a version in a target selects other versions, and not the wanted one.
func (o *other) selectsOther(version string) bool {
	if version == "" || matches(version, o.to) {
		return false
	}
	return slices.ContainsFunc(conversion.Versions(), func(name string) bool { return matches(version, name) })
}

// edit a value in a kustomization, if that is right: what it names is converted as well.
func (o *other) edit(rule finding.Rule, t *tree, with []byte, text string) {
	if base := o.unconvertedBase(); base != "" {
		o.mustChange(rule, t, text+", and "+base+isNotConverted)
		return
	}
	o.isEdited = true
	o.change(t, with, problems.At(rule, t.path(), text))
}

// mustChange reports an error at a value.
func (o *other) mustChange(rule finding.Rule, t *tree, text string) {
	o.failures = append(o.failures, problems.At(rule, t.path(), text))
}

// isPatchText reports whether a value of a kustomization holds patches as text.
func isPatchText(t *tree) bool {
	isItem := t.in != nil && t.in.name == "patchesStrategicMerge"
	isPatch := isItem || slices.Contains([]string{"patch", "patches", "jsonOp"}, t.name)
	return isPatch && strings.ContainsAny(t.text, "\n{[")
}

// patchText converts the patches in a text: steps of a JSON patch, or parts of objects.
func (o *other) patchText(t *tree) {
	offset := o.lineBefore(t)
	padding := strings.Repeat("\n", offset) // so that lines of the text are those of the file
	text := []byte(padding + t.text)
	var changes []change
	for d, err := range yamldoc.Documents(text, "patch") {
		with, changed, isKnown := o.patchDocument(t, d, err)
		if !isKnown {
			o.inText(t)
			return
		}
		if !changed {
			continue
		}
		_, begin, end := d.Source()
		changes = append(changes, change{begin, end, with})
	}
	if len(changes) == 0 {
		return
	}
	converted := changedText(text, changes)[len(padding):]
	o.edit(finding.MovedField, t, objectjson.Quote(string(converted)), "is a patch of another version")
}

// lineBefore returns the number of the line before the text of a value, or 0 if that is not known.
func (o *other) lineBefore(t *tree) int {
	if o.log.Locate == nil || o.parsed == nil {
		return 0
	}
	first, _, _ := strings.Cut(t.text, "\n")
	begin, _ := o.log.Locate(o.at.Items, t.path())
	for _, line := range []int{begin + 1, begin} {
		if strings.TrimSpace(string(o.parsed.Row(line))) == strings.TrimSpace(first) {
			return line - 1
		}
	}
	return 0
}

// patchDocument converts one document of a patch. It is not known what the document is if it cannot be read.
func (o *other) patchDocument(t *tree, d *yamldoc.Document, err error) (with []byte, changed, isKnown bool) {
	if bad, ok := errors.AsType[*yamldoc.NotObjectError](err); ok && bad.IsJSONPatch() {
		with, changed = o.jsonPatchText(t, bad.Document)
		return with, changed, true
	}
	if err != nil || d.IsList() || d.Kind == "" || d.APIVersion == "" {
		return nil, false, false
	}
	object, err := d.Object(false)
	if err != nil {
		return nil, false, false
	}
	locate, parsed := o.log.Locate, o.parsed
	defer func() { o.log.Locate, o.parsed = locate, parsed }()
	at := o.at
	at.Path, at.Line = objectjson.JoinPath(at.Path, t.path()), d.Line
	d.Position = at
	o.log.Locate, o.parsed = func(_ []int, field string) (line, column int) { return d.Locate(nil, field) }, d
	wants := wanted{was: object}
	if o.Groups.Claim(d.APIVersion, d.Kind) {
		converted, same, ok := o.claimPatch(object, at)
		wants.object, wants.changed = bytes.Clone(converted), ok && !same
	} else {
		wants.object, wants.changed, _ = o.part.other(at, d.APIVersion, d.Kind, object, object)
	}
	if !wants.changed {
		return nil, false, true
	}
	if with, err = o.replaced(d, wants); err != nil {
		o.log.Refuse(at, problems.HeaderOf(d), []problems.What{notInPlace("", err)})
		return nil, false, true
	}
	return with, true, true
}

// jsonPatchText converts a JSON patch in a text.
func (o *other) jsonPatchText(t *tree, d *yamldoc.Document) (with []byte, changed bool) {
	steps, err := d.Object(false)
	if err != nil {
		return nil, false
	}
	converted, patch := convertJSONPatch(steps, o.to)
	if target := t.in.member("target"); target != nil && target.textOf("kind") != "" && !o.isForPatch(target, steps) {
		o.findInText(t, false) // claims in objects of other kinds may have any shape
		return nil, false
	}
	o.hasVersions = o.hasVersions || patch.hasVersions
	switch {
	case patch.problem != nil:
		o.mustChange(finding.MovedField, t, patch.why+"; change the patch by hand")
		return nil, false
	case len(patch.changes) == 0:
		return nil, false
	}
	with, err = o.replaced(d, wanted{object: converted, changed: true, was: steps})
	if err != nil {
		o.mustChange(finding.MovedField, t, err.Error())
		return nil, false
	}
	return with, true
}

// isForPatch reports whether a JSON patch is for objects whose fields are known: claims, or whatever has pods.
func (o *other) isForPatch(target *tree, steps []byte) bool {
	return selectsConverted(target) || bytes.Contains(steps, []byte(podClaims))
}

// jsonPatchFile converts a file that holds a JSON patch.
func (o *other) jsonPatchFile() (converted []byte, changed bool) {
	converted, patch := convertJSONPatch(o.object, o.to)
	if o.isForOtherKinds() {
		o.isPatchFile = false
		o.survey()
		return nil, false
	}
	switch {
	case patch.problem != nil:
		problem := patch.problem
		o.mustChange(finding.MovedField, problem, patch.why+"; change the patch by hand")
	case len(patch.changes) > 0:
		if base := o.unconvertedBaseOfPatch(o.at.File); base != "" {
			o.mustChange(finding.MovedField, o.root, "is a patch of another version, and "+base+isNotConverted)
			return nil, false
		}
		o.fixed++
		what := problems.At(finding.MovedField, "", "is a patch of another version")
		o.log.Fixed(o.at, o.header, what)
		return converted, true
	case patch.hasVersions:
		o.right++
	}
	return nil, false
}

// isForOtherKinds reports whether a kustomization names the file as a patch of other kinds only, whose fields are not
// known.
func (o *other) isForOtherKinds() bool {
	targets := o.patches.Targets(o.at.File)
	mayBeOurs := func(t kustomization.Target) bool {
		if t.Group != "" && !matches(t.Group, api.Group) {
			return false
		}
		isKind := func(name string) bool { return matches(t.Kind, name) }
		return t.Kind == "" || slices.ContainsFunc(kindsOfTarget, isKind)
	}
	isOfPods := bytes.Contains(o.object, []byte(podClaims))
	return !isOfPods && len(targets) > 0 && !slices.ContainsFunc(targets, mayBeOurs)
}
