package convert

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
)

// Patches, and what selects the objects that they are for, are known by their shape: kustomize has them, and so have Flux, Argo CD and
// others in objects of their own.

// selector of objects by their group or kind, and version.
func (o *other) selector(t *tree) {
	version, kind := t.textOf("version"), t.textOf("kind")
	isOurs := t.textOf("group") == api.Group || t.member("group") == nil && (kind == api.KindClaim || kind == api.KindTemplate)
	if isOurs && o.isOther(version) {
		o.tell(finding.KustomizeTarget, t.member("version"), fmt.Sprintf("selects objects of %s, and not of %s", version, o.to))
	}
}

// path to a field: of a JSON patch, a pointer, a replacement of kustomize, or one of jq.
func (o *other) path(t *tree) {
	var names []string
	switch {
	case strings.HasPrefix(t.text, "/"):
		names = strings.Split(t.text, "/")
	case strings.HasPrefix(t.text, ".spec."), strings.HasPrefix(t.text, "spec."):
		names = strings.Split(strings.NewReplacer("[", ".", "]", "").Replace(t.text), ".")
	}
	if why := movedPath(names, o.to); why != "" {
		o.tell(finding.KustomizePatch, t, t.text+" "+why)
	}
}

// step of a JSON patch, whose value may have the shape of another version.
func (o *other) step(t *tree) {
	path, value := t.textOf("path"), t.member("value")
	if t.member("op") == nil || value == nil || !strings.HasPrefix(path, "/") {
		return
	}
	names := strings.Split(path, "/")
	if movedPath(names, o.to) == "" { // else the path is to blame, and told
		o.shape(value, names)
	}
}

// shape of what stands below names: the first field that is elsewhere in the version.
func (o *other) shape(t *tree, names []string) (told bool) {
	for i, c := range t.children {
		name := c.name
		if name == "" {
			name = fmt.Sprint(i)
		}
		below := slices.Concat(names, []string{name})
		if why := movedPath(below, o.to); why != "" {
			o.tell(finding.KustomizePatch, c, name+" "+why)
			return true
		}
		if o.shape(c, below) {
			return true
		}
	}
	return false
}

// inText of a member are patches and manifests, as a ConfigMap has them, or a workflow that applies them. What kubectl has applied is
// kept in an annotation, and nobody's work.
func (o *other) inText(t *tree) {
	if !strings.ContainsAny(t.text, "\n{") || t.name == "kubectl.kubernetes.io/last-applied-configuration" {
		return
	}
	rows, told := strings.Split(t.text, "\n"), map[string]bool{}
	for _, l := range o.leftIn([]byte(t.text), o.ofObjects) {
		switch {
		case told[l.String()]:
		case l.version != "":
			o.tellRow(finding.InnerObject, t, fmt.Sprintf("has an object of %s, and not of %s", l.version, o.to), l.line, rows[l.line])
		default:
			told[l.String()] = true
			o.tellRow(finding.KustomizePatch, t, l.String(), l.line, rows[l.line])
		}
	}
}
