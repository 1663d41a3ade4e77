package migrate

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/files"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// Patches and their selectors are found by their structure, because not only kustomize has them, but also objects of
// Flux, Argo CD and others.

// convertSelector converts or reports an object that selects objects by their group or kind, and version.
func (o *relatedObject) convertSelector(t *jsonNode) {
	version := t.member("version")
	if version == nil {
		return
	}
	if o.changesBuild(t) && t.member("group") == nil && t.member("kind") == nil && isSelector(t) {
		o.recordSelectorOfAnyKind(version)
		return
	}
	if !selectsConverted(t) {
		return
	}
	if matches(version.text, o.version) {
		o.dependsOnVersion = true
		return
	}
	if !o.selectsOnlyOtherVersions(version.text) {
		return
	}
	text := fmt.Sprintf("selects objects of %s, not of %s", version.text, o.version)
	// Without a kind, the selector may be for a class, whose kind changed in v1alpha3.
	hasSameKinds := api.HasDevices(version.text) == api.HasDevices(o.version)
	switch {
	case o.isKustomizeFile() && (hasSameKinds || t.textOf("kind") != ""):
		o.fixInKustomization(findings.NamedVersion, version, objectjson.Quote(o.version), text)
	case o.changesBuild(t):
		o.fail(findings.NamedVersion, version, text+"; write the version, or leave it out")
	default:
		o.warn(findings.NamedVersion, version, text)
	}
}

// isSelector reports whether kustomize selects objects by an object: the target of a patch, or what a replacement
// selects or rejects.
func isSelector(t *jsonNode) bool {
	if t.name == "" && t.parent != nil {
		return t.parent.name == "reject"
	}
	return slices.Contains([]string{"target", "select", "source"}, t.name)
}

// recordSelectorOfAnyKind records a selector that has a version, but neither group nor kind. It may be for
// objects other than claims, so the version is not edited.
func (o *relatedObject) recordSelectorOfAnyKind(version *jsonNode) {
	if !o.selectsOnlyOtherVersions(version.text) {
		return
	}
	var versions []string
	for _, name := range conversion.Versions() {
		if matches(version.text, name) {
			versions = append(versions, name)
		}
	}
	o.recordSelector(version, versionSelector{
		message:        fmt.Sprintf("selects objects of %s of any kind, not of %s", version.text, o.version),
		versions:       versions,
		mayBeForOthers: true,
	})
}

// convertFieldPath converts or reports a value that is the path of a field: a JSON pointer, as in a JSON patch, the
// path of a replacement or of a field specification of kustomize, or one of jq.
func (o *relatedObject) convertFieldPath(t *jsonNode) {
	var names []string
	separator := "."
	switch {
	case strings.HasPrefix(t.text, "/"):
		separator = "/"
		names = strings.Split(t.text, separator)
	case t.name == "path" && strings.HasPrefix(t.text, "spec/"):
		o.reportFieldSpec(t)
		return
	case o.isKustomizeFile() && strings.HasPrefix(t.text, "spec."):
		names = namesOfFieldPath(t.text)
	case strings.HasPrefix(t.text, ".spec."), strings.HasPrefix(t.text, "spec."):
		names = namesOfPath(t.text)
	}
	o.dependsOnVersion = o.dependsOnVersion || differsByVersion(names)
	why := movedReason(names, o.version)
	if why == "" {
		return
	}
	moved := convertPath(names, o.version)
	message := t.text + " " + why
	isEditable := moved != nil && strings.Join(names, separator) == t.text // not with an index in brackets
	if o.isKustomizeFile() && isEditable {
		o.fixInKustomization(findings.MovedField, t, objectjson.Quote(strings.Join(moved, separator)), message)
		return
	}
	o.warnOrFail(findings.MovedField, t, message)
}

// namesOfFieldPath splits the path of a replacement at dots. A dot in brackets, as in [name=a.b], and one after a
// backslash belong to a name.
func namesOfFieldPath(path string) (names []string) {
	begin := 0
	inBrackets := false
	for i := 0; i < len(path); i++ {
		switch path[i] {
		case '\\':
			i++
		case '[':
			inBrackets = true
		case ']':
			inBrackets = false
		case '.':
			if !inBrackets {
				names = append(names, path[begin:i])
				begin = i + 1
			}
		}
	}
	return append(names, path[begin:])
}

// reportFieldSpec reports the path of a moved field in a configuration of a kustomize transformer. Such a path has no
// indices of lists.
func (o *relatedObject) reportFieldSpec(t *jsonNode) {
	var names []string
	for name := range strings.SplitSeq(t.text, "/") {
		names = append(names, strings.TrimSuffix(name, "[]"))
		if name = strings.TrimSuffix(name, "[]"); name == "requests" || name == podClaims {
			names = append(names, "0")
		}
	}
	why := movedReason(names, o.version)
	message := t.text + " " + why
	switch {
	case why == "":
	case o.InPlace:
		o.fail(findings.MovedField, t, message+"; change it by hand")
	default:
		o.warn(findings.MovedField, t, message)
	}
}

// reportPatchOperation reports an operation of a JSON patch whose value has fields of another version.
func (o *relatedObject) reportPatchOperation(t *jsonNode) {
	path, value := t.textOf("path"), t.member("value")
	if t.member("op") == nil || value == nil || !strings.HasPrefix(path, "/") {
		return
	}
	names := strings.Split(path, "/")
	if movedReason(names, o.version) == "" { // otherwise the path is reported
		o.reportMovedFieldBelow(value, names)
	}
}

// reportMovedFieldBelow reports the first field below a path that has moved in the version.
func (o *relatedObject) reportMovedFieldBelow(t *jsonNode, names []string) (reported bool) {
	for i, c := range t.children {
		name := c.name
		if name == "" {
			name = fmt.Sprint(i)
		}
		below := slices.Concat(names, []string{name})
		if why := movedReason(below, o.version); why != "" {
			o.warnOrFail(findings.MovedField, c, name+" "+why)
			return true
		}
		if o.reportMovedFieldBelow(c, below) {
			return true
		}
	}
	return false
}

// reportMentionsIn reports JSON patches and manifests in a text, as a ConfigMap or a workflow has them. It skips the
// annotation in which kubectl keeps the object that it applied, because no author writes it.
func (o *relatedObject) reportMentionsIn(t *jsonNode) { o.reportMentions(t, o.changesBuild(t)) }

// reportMentions reports versions and moved paths in a text. If they are errors, it also reports moved fields of
// strategic merge patches.
func (o *relatedObject) reportMentions(t *jsonNode, isError bool) {
	if !strings.ContainsAny(t.text, "\n{") || t.name == "kubectl.kubernetes.io/last-applied-configuration" {
		return
	}
	find := o.patchPathsAndVersionsIn
	if isError {
		find = o.movedFieldsAndVersionsIn
	}
	rows := strings.Split(t.text, "\n")
	reported := map[string]bool{}
	for _, found := range find([]byte(t.text), o.objectVersionsIn) {
		if reported[found.String()] {
			continue
		}
		rule := findings.MovedField
		message := found.String()
		if found.version != "" {
			rule = findings.NamedVersion
			message = fmt.Sprintf("has an object of %s, not of %s", found.version, o.version)
		} else {
			reported[message] = true
		}
		line := o.lineOfRow(t, found.line, rows[found.line])
		if isError {
			message += "; change it by hand"
			o.failures = append(o.failures,
				o.asSubject().New(findings.Error, rule, t.path(), message).WithLine(line))
			continue
		}
		o.result.report(o.asSubject().New(findings.Warning, rule, t.path(), message).WithLine(line))
	}
}

// lineOfRow returns the line in the file of a row of a value's text, or 0 if that is not known. The text begins in the
// line of its name, or in the next one.
func (o *relatedObject) lineOfRow(t *jsonNode, row int, text string) int {
	begin, _ := o.locate(t.path())
	if begin == 0 || text == "" {
		return 0
	}
	for _, line := range []int{begin + row, begin + row + 1} {
		if strings.TrimSpace(string(o.document.TextLine(line))) == strings.TrimSpace(text) {
			return line
		}
	}
	return 0
}

// reportMovedFieldInBuild reports moved fields of an object in a patch, if they change the result of a build.
func (o *relatedObject) reportMovedFieldInBuild(t *jsonNode) {
	if o.changesBuild(t) {
		o.reportMovedFieldBelow(t, nil)
	}
}

var (
	fieldPathPattern = regexp.MustCompile(`\bspec\.[^\s"',{}]+`)
	versionPattern   = regexp.MustCompile(`\bversion["']?\s*:\s*["']?(v1(?:(?:alpha|beta)\d+)?)\b`)
)

// reportReplacementsFile reports a file with replacements that names a moved field or another version, and is not
// converted in this run.
func (o *relatedObject) reportReplacementsFile(t *jsonNode) {
	path := filepath.Join(filepath.Dir(o.position.File), filepath.FromSlash(t.text))
	if absolute, err := filepath.Abs(path); err == nil {
		if _, isInput := o.nameOfInput(absolute); isInput {
			return
		}
	}
	text, _, err := files.Read(files.At(path))
	if err != nil {
		return // kustomize reports it
	}
	const remedy = "; convert the file too, or change it by hand"
	for _, path := range fieldPathPattern.FindAllString(string(text), -1) {
		if why := movedReason(namesOfFieldPath(path), o.version); why != "" {
			o.fail(findings.MovedField, t, "names a file with "+path+", which "+why+remedy)
			return
		}
	}
	for _, version := range versionPattern.FindAllStringSubmatch(string(text), -1) {
		if o.selectsOnlyOtherVersions(version[1]) && bytes.Contains(text, []byte("Resource")) {
			text := "names a file that selects objects of " + version[1] + ", not of " + o.version
			o.fail(findings.NamedVersion, t, text+remedy)
			return
		}
	}
}
