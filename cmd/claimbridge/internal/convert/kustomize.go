package convert

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/conversion"
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

// pathOf a step of a JSON patch that stands in a text, in YAML or JSON.
var (
	pathOf    = regexp.MustCompile(`(?m)^[\s\-{]*(?:.*[,{]\s*)?["']?(?:path|from)["']?\s*:\s*["']?(/[^\s"',}]+)`)
	versionOf = regexp.MustCompile(`(?m)^[\s{]*["']?apiVersion["']?\s*:\s*["']?resource\.k8s\.io/(v\w+)`)
)

// kustomize looks at targets, replacements and patches of a kustomization.
func (p *part) kustomize(t *tree, tell tells) {
	if version := t.textOf("version"); t.textOf("group") == api.Group && version != p.to {
		if _, known := api.Find(version); known {
			tell(finding.KustomizeTarget, t.member("version").path, fmt.Sprintf("selects objects of %s, and not of %s", version, p.to))
		}
	}
	if t.name == "fieldPaths" || t.name == "fieldPath" {
		for _, c := range append([]*tree{t}, t.children...) {
			if why := movedPath(strings.Split(c.text, "."), p.to); why != "" {
				tell(finding.KustomizePatch, c.path, c.text+" "+why)
			}
		}
	}
	if !strings.Contains(t.text, "\n") && !strings.Contains(t.text, "{") {
		return // it is no patch
	}
	for _, m := range pathOf.FindAllStringSubmatch(t.text, -1) {
		if why := movedPath(strings.Split(m[1], "/"), p.to); why != "" {
			tell(finding.KustomizePatch, t.path, m[1]+" "+why)
		}
	}
	for _, m := range versionOf.FindAllStringSubmatch(t.text, -1) {
		if _, known := api.Find(m[1]); known && m[1] != p.to {
			tell(finding.KustomizePatch, t.path, fmt.Sprintf("patches an object of %s, and not of %s", m[1], p.to))
		}
	}
}

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
	p.log.Locate = e.Document.Locate
	for _, step := range treeOf(raw).children {
		for _, at := range []*tree{step.member("path"), step.member("from")} {
			if at != nil {
				p.patchPath(e.Document, at)
			}
		}
	}
	p.log.Locate = nil
	return true
}

// patchPath looks at the path of a step.
func (p *part) patchPath(d *manifest.Document, at *tree) {
	why := movedPath(strings.Split(at.text, "/"), p.to)
	if why == "" {
		return
	}
	p.tell(d.Position, conversion.Header{Kind: "JSON patch", Name: "of " + d.File}, finding.KustomizePatch, at.path, at.text+" "+why)
}
