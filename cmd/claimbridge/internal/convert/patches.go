package convert

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/conversion"
)

// Patches, and what selects the objects that they are for, are known by their shape: kustomize has them, and so have Flux, Argo CD and
// others in objects of their own.

// pathOf a step of a JSON patch that stands in a text, in YAML or JSON; versionOf an object that does.
var (
	pathOf    = regexp.MustCompile(`(?m)^[\s\-{\[]*(?:.*[,{]\s*)?["']?(?:path|from)["']?\s*:\s*["']?(/[^\s"',}]+)`)
	versionOf = regexp.MustCompile(`(?m)^[\s\-{\[]*(?:.*[,{]\s*)?["']?apiVersion["']?\s*:\s*["']?resource\.k8s\.io/(v\w+)`)
)

// isKustomization tells kustomizations and components by their group.
func isKustomization(apiVersion string) bool {
	return strings.HasPrefix(apiVersion, manifest.KustomizeGroup+"/")
}

func isKyverno(group string) bool {
	return group == "kyverno.io" || strings.HasSuffix(group, ".kyverno.io")
}

// kindOf is how Kyverno names kinds, group/version/kind, where the version may be a pattern.
var kindOf = regexp.MustCompile(`^resource\.k8s\.io/([^/]+)/[^/]+`)

func (p *part) kyvernoKind(t *tree, tell tells) {
	version := kindOf.FindStringSubmatch(t.text)[1]
	if _, known := api.Find(version); known && version != p.to {
		tell(finding.KyvernoKind, t.path, fmt.Sprintf("names a kind of %s, and not of %s", version, p.to))
	}
}

// versionName is a text that is the name of a version, and maybe of a kind of it.
var versionName = regexp.MustCompile(`^resource\.k8s\.io/(v\w+)(?:/\w+)?$`)

// versions that members are set to, as in the values of a chart, or that a list names, as the apiVersions that Argo CD hands to Helm. A list
// that names the wanted one too is right, the type of an object is looked at elsewhere, and a groupVersion is what some server has said.
func (p *part) versions(t *tree, tell tells) {
	var others []*tree
	for _, c := range t.children {
		name := versionName.FindStringSubmatch(c.text)
		if name == nil || c.name == "apiVersion" || c.name == "groupVersion" {
			continue
		}
		if name[1] == p.to && c.name == "" {
			return
		}
		if _, known := api.Find(name[1]); known && name[1] != p.to {
			others = append(others, c)
		}
	}
	for _, c := range others {
		instead := strings.Replace(c.text, "/"+versionName.FindStringSubmatch(c.text)[1], "/"+p.to, 1)
		tell(finding.NamedVersion, c.path, c.text+" is named, and not "+instead)
	}
}

// selector of objects by their group or kind, and version.
func (p *part) selector(t *tree, tell tells) {
	version := t.textOf("version")
	if _, known := api.Find(version); !known || version == p.to {
		return
	}
	if kind := t.textOf("kind"); t.textOf("group") == api.Group || t.member("group") == nil && (kind == api.KindClaim || kind == api.KindTemplate) {
		tell(finding.KustomizeTarget, t.member("version").path, fmt.Sprintf("selects objects of %s, and not of %s", version, p.to))
	}
}

// path to a field: of a JSON patch, a pointer, a replacement of kustomize, or one of jq.
func (p *part) path(t *tree, tell tells) {
	var names []string
	switch {
	case strings.HasPrefix(t.text, "/"):
		names = strings.Split(t.text, "/")
	case strings.HasPrefix(t.text, ".spec."), strings.HasPrefix(t.text, "spec."):
		names = strings.Split(strings.NewReplacer("[", ".", "]", "").Replace(t.text), ".")
	}
	if why := movedPath(names, p.to); why != "" {
		tell(finding.KustomizePatch, t.path, t.text+" "+why)
	}
}

// step of a JSON patch, whose value may have the shape of another version.
func (p *part) step(t *tree, tell tells) {
	path, value := t.textOf("path"), t.member("value")
	if t.member("op") == nil || value == nil || !strings.HasPrefix(path, "/") {
		return
	}
	names := strings.Split(path, "/")
	if movedPath(names, p.to) == "" { // else the path is to blame, and told
		p.shape(value, names, tell)
	}
}

// shape of what stands below names: the first field that is elsewhere in the version.
func (p *part) shape(t *tree, names []string, tell tells) (told bool) {
	for i, c := range t.children {
		name := c.name
		if name == "" {
			name = fmt.Sprint(i)
		}
		below := slices.Concat(names, []string{name})
		if why := movedPath(below, p.to); why != "" {
			tell(finding.KustomizePatch, c.path, name+" "+why)
			return true
		}
		if p.shape(c, below, tell) {
			return true
		}
	}
	return false
}

// inText of a member are patches and manifests, as a ConfigMap has them, or a workflow that applies them.
func (p *part) inText(t *tree, tell func(rule finding.Rule, text string, line int, row string)) {
	if !strings.ContainsAny(t.text, "\n{") || t.name == lastApplied {
		return
	}
	found := p.leftIn([]byte(t.text), ofObjects)
	if len(found) == 0 {
		return
	}
	rows := strings.Split(t.text, "\n")
	told := map[string]bool{}
	for _, l := range found {
		if told[l.String()] {
			continue
		}
		told[l.String()] = l.why != ""
		if l.version != "" {
			tell(finding.InnerObject, fmt.Sprintf("has an object of %s, and not of %s", l.version, p.to), l.line, rows[l.line])
		} else {
			tell(finding.KustomizePatch, l.String(), l.line, rows[l.line])
		}
	}
}

// lastApplied is the annotation in which kubectl keeps what was applied.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// unread is what could not be read as an object. A JSON patch is none, and is looked at as one.
func (p *part) unread(err error) {
	if e, ok := errors.AsType[*manifest.NotObjectError](err); ok && p.patchFile(e) {
		err = problems.SkippedPatch(e)
	}
	p.log.Error(err)
}

// patchFile looks at a document that is no object, and reports whether it is a JSON patch.
func (p *part) patchFile(e *manifest.NotObjectError) bool {
	if !e.IsJSONPatch() {
		return false
	}
	raw, err := e.Document.Object(false)
	if err != nil {
		return false // nobody can say what it is
	}
	p.log.Locate, p.parsed = e.Document.Locate, e.Document
	p.survey(e.Document.Position, conversion.Header{Kind: "JSON patch", Name: "of " + e.Document.File}, raw)
	p.log.Locate = nil
	return true
}
