// Package claims finds the claims and templates of the selected API groups in documents and lists.
package claims

import (
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// Groups are the API groups whose claims are selected; "*" selects all.
type Groups []string

// Has reports whether an apiVersion has one of the groups. The core group, which has no name, is not one of them.
func (g Groups) Has(apiVersion string) bool {
	group, _, found := strings.Cut(apiVersion, "/")
	return found && (slices.Contains(g, "*") || slices.Contains(g, group))
}

// HasByName reports whether the group of an apiVersion, which may be without a version, is named by the groups or is
// that of Kubernetes. A "*" does not count.
func (g Groups) HasByName(apiVersion string) bool {
	group, _, _ := strings.Cut(apiVersion, "/")
	return slices.Contains(g, group) || group == api.Group
}

// IsClaim reports whether a type is a claim or template of one of the groups.
func (g Groups) IsClaim(apiVersion, kind string) bool {
	return (kind == api.KindClaim || kind == api.KindTemplate) && g.Has(apiVersion)
}

// IsClaimList reports whether a type is a list of claims or of templates of one of the groups.
func (g Groups) IsClaimList(apiVersion, kind string) bool {
	return (kind == api.KindClaim+"List" || kind == api.KindTemplate+"List") && g.Has(apiVersion)
}

// IsList reports whether an object of a type may hold claims as its items.
func (g Groups) IsList(apiVersion, kind string) bool {
	return ListType{apiVersion, kind}.IsGeneric() || g.IsClaimList(apiVersion, kind)
}

// ListType is the type of a list.
type ListType struct{ APIVersion, Kind string }

// IsGeneric reports whether the type is a list of objects of any type: a v1 List, as kubectl writes it, or a
// ResourceList, which kustomize and kpt pass to functions.
func (l ListType) IsGeneric() bool {
	return l.APIVersion == "v1" && l.Kind == "List" ||
		l.Kind == "ResourceList" && strings.HasPrefix(l.APIVersion, yamldoc.FunctionGroup+"/")
}

// MaxNesting limits how deep lists are nested in lists, and objects in objects. kubectl does not nest lists. Each level
// is parsed again.
const MaxNesting = 8
