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

// selector converts or reports an object that selects objects by their group or kind, and version.
func (o *related) selector(t *tree) {
	version := t.member("version")
	if version == nil {
		return
	}
	if o.changesBuild(t) && t.member("group") == nil && t.member("kind") == nil && isSelector(t) {
		o.selectorOfAnyKind(version)
		return
	}
	if !selectsConverted(t) {
		return
	}
	if matches(version.text, o.to) {
		o.hasVersions = true
		return
	}
	if !o.selectsOther(version.text) {
		return
	}
	text := fmt.Sprintf("selects objects of %s, and not of %s", version.text, o.to)
	switch isShared := api.HasDevices(version.text) == api.HasDevices(o.to) || t.textOf("kind") != ""; {
	case o.isKustomizeFile() && isShared:
		o.edit(findings.NamedVersion, version, objectjson.Quote(o.to), text)
	case o.changesBuild(t):
		o.mustChange(findings.NamedVersion, version, text+"; write the version, or leave it out")
	default:
		o.warn(findings.NamedVersion, version, text)
	}
}

// isSelector reports whether kustomize selects objects by an object: the target of a patch, or what a replacement
// selects or rejects.
func isSelector(t *tree) bool {
	if t.name == "" && t.in != nil {
		return t.in.name == "reject"
	}
	return slices.Contains([]string{"target", "select", "source"}, t.name)
}

// selectorOfAnyKind notes a selector that has a version and names no kind. It may be for other objects than claims, and
// so the version is not edited.
func (o *related) selectorOfAnyKind(version *tree) {
	if !o.selectsOther(version.text) {
		return
	}
	var versions []string
	for _, name := range conversion.Versions() {
		if matches(version.text, name) {
			versions = append(versions, name)
		}
	}
	o.addSelector(version, versionSelector{
		message:        fmt.Sprintf("selects objects of %s of any kind, and not of %s", version.text, o.to),
		versions:       versions,
		mayBeForOthers: true,
	})
}

// fieldPath converts or reports a value that is the path of a field: of a JSON patch, a pointer, a replacement or a
// field specification of kustomize, or one of jq.
func (o *related) fieldPath(t *tree) {
	var names []string
	separator := "."
	switch {
	case strings.HasPrefix(t.text, "/"):
		separator = "/"
		names = strings.Split(t.text, separator)
	case t.name == "path" && strings.HasPrefix(t.text, "spec/"):
		o.fieldSpec(t)
		return
	case o.isKustomizeFile() && strings.HasPrefix(t.text, "spec."):
		names = namesOfFieldPath(t.text)
	case strings.HasPrefix(t.text, ".spec."), strings.HasPrefix(t.text, "spec."):
		names = namesOfPath(t.text)
	}
	o.hasVersions = o.hasVersions || differsByVersion(names)
	why := whyMoved(names, o.to)
	if why == "" {
		return
	}
	moved := convertPath(names, o.to)
	isEditable := moved != nil && strings.Join(names, separator) == t.text // not with an index in brackets
	switch text := t.text + " " + why; {
	case o.isKustomizeFile() && isEditable:
		o.edit(findings.MovedField, t, objectjson.Quote(strings.Join(moved, separator)), text)
	default:
		o.warnOrFail(findings.MovedField, t, text)
	}
}

// namesOfFieldPath splits the path of a replacement at dots. A dot in brackets, as in [name=a.b], and one after a
// backslash belong to a name.
func namesOfFieldPath(path string) (names []string) {
	begin, inBrackets := 0, false
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

// fieldSpec reports the path of a moved field in a configuration of a kustomize transformer. Such a path has no indices
// of lists.
func (o *related) fieldSpec(t *tree) {
	var names []string
	for name := range strings.SplitSeq(t.text, "/") {
		names = append(names, strings.TrimSuffix(name, "[]"))
		if name = strings.TrimSuffix(name, "[]"); name == "requests" || name == podClaims {
			names = append(names, "0")
		}
	}
	why := whyMoved(names, o.to)
	switch text := t.text + " " + why; {
	case why == "":
	case o.InPlace:
		o.mustChange(findings.MovedField, t, text+"; change it by hand")
	default:
		o.warn(findings.MovedField, t, text)
	}
}

// step reports a step of a JSON patch whose value has fields of another version.
func (o *related) step(t *tree) {
	path, value := t.textOf("path"), t.member("value")
	if t.member("op") == nil || value == nil || !strings.HasPrefix(path, "/") {
		return
	}
	names := strings.Split(path, "/")
	if whyMoved(names, o.to) == "" { // otherwise the path is reported
		o.shape(value, names)
	}
}

// shape reports the first field below a path that has moved in the version.
func (o *related) shape(t *tree, names []string) (reported bool) {
	for i, c := range t.children {
		name := c.name
		if name == "" {
			name = fmt.Sprint(i)
		}
		below := slices.Concat(names, []string{name})
		if why := whyMoved(below, o.to); why != "" {
			o.warnOrFail(findings.MovedField, c, name+" "+why)
			return true
		}
		if o.shape(c, below) {
			return true
		}
	}
	return false
}

// inText reports JSON patches and manifests in a text, as a ConfigMap or a workflow has them. The annotation in which
// kubectl keeps what it applied is not the author's.
func (o *related) inText(t *tree) { o.findInText(t, o.changesBuild(t)) }

// findInText reports versions and moved paths in a text. If they are errors, it also reports moved fields of strategic
// merge patches.
func (o *related) findInText(t *tree, isError bool) {
	if !strings.ContainsAny(t.text, "\n{") || t.name == "kubectl.kubernetes.io/last-applied-configuration" {
		return
	}
	find := o.mentionsIn
	if isError {
		find = o.changesIn
	}
	rows, reported := strings.Split(t.text, "\n"), map[string]bool{}
	for _, found := range find([]byte(t.text), o.objectVersionsIn) {
		if reported[found.String()] {
			continue
		}
		rule, message := findings.MovedField, found.String()
		if found.version != "" {
			rule, message = findings.NamedVersion, fmt.Sprintf("has an object of %s, and not of %s", found.version, o.to)
		} else {
			reported[message] = true
		}
		line := o.lineOfRow(t, found.line, rows[found.line])
		if isError {
			message += "; change it by hand"
			o.failures = append(o.failures,
				o.about().New(findings.Error, rule, t.path(), message).WithLine(line))
			continue
		}
		o.result.report(o.about().New(findings.Warning, rule, t.path(), message).WithLine(line))
	}
}

// lineOfRow returns the line in the file of a row of a value's text, or 0 if that is not known. The text begins in the
// line of its name, or in the next one.
func (o *related) lineOfRow(t *tree, row int, text string) int {
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

// shapeInBuild reports moved fields of an object in a patch, if they change the result of a build.
func (o *related) shapeInBuild(t *tree) {
	if o.changesBuild(t) {
		o.shape(t, nil)
	}
}

var (
	fieldPathInText = regexp.MustCompile(`\bspec\.[^\s"',{}]+`)
	versionInText   = regexp.MustCompile(`\bversion["']?\s*:\s*["']?(v1(?:(?:alpha|beta)\d+)?)\b`)
)

// unconvertedReplacements reports a file with replacements that names a moved field or another version, and is not
// converted in this run.
func (o *related) unconvertedReplacements(t *tree) {
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
	for _, path := range fieldPathInText.FindAllString(string(text), -1) {
		if why := whyMoved(namesOfFieldPath(path), o.to); why != "" {
			o.mustChange(findings.MovedField, t, "names a file with "+path+", which "+why+remedy)
			return
		}
	}
	for _, version := range versionInText.FindAllStringSubmatch(string(text), -1) {
		if o.selectsOther(version[1]) && bytes.Contains(text, []byte("Resource")) {
			text := "names a file that selects objects of " + version[1] + ", and not of " + o.to
			o.mustChange(findings.NamedVersion, t, text+remedy)
			return
		}
	}
}
