// Package claims says which objects of an input are meant: claims and templates of the groups that
// are asked for, and lists that may hold them.
package claims

import (
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
)

// Groups are those whose claims are meant.
type Groups []string

// Has reports whether the apiVersion is of one of the groups. Claims always have a group.
func (g Groups) Has(apiVersion string) bool {
	group, _, found := strings.Cut(apiVersion, "/")
	return found && (slices.Contains(g, "*") || slices.Contains(g, group))
}

// Names reports whether the group of an apiVersion, or all of it when it has no version, is one
// that claims are looked for in, by name.
func (g Groups) HasByName(apiVersion string) bool {
	group, _, _ := strings.Cut(apiVersion, "/")
	return slices.Contains(g, group) || group == api.Group
}

// Claim reports whether an object is a claim or template of one of the groups.
func (g Groups) IsClaim(apiVersion, kind string) bool {
	return (kind == api.KindClaim || kind == api.KindTemplate) && g.Has(apiVersion)
}

// ClaimList reports whether an object is a list of claims or of templates of one of the groups.
func (g Groups) IsClaimList(apiVersion, kind string) bool {
	return (kind == api.KindClaim+"List" || kind == api.KindTemplate+"List") && g.Has(apiVersion)
}

// List reports whether an object may hold claims as its items.
func (g Groups) IsList(apiVersion, kind string) bool {
	return ListType{apiVersion, kind}.IsGeneric() || g.IsClaimList(apiVersion, kind)
}

// ListType is what a list says that it is.
type ListType struct{ APIVersion, Kind string }

// Any reports whether it is a list of whatever it holds: what kubectl writes, or what kustomize and
// kpt hand to their functions.
func (l ListType) IsGeneric() bool {
	return l.APIVersion == "v1" && l.Kind == "List" ||
		l.Kind == "ResourceList" && strings.HasPrefix(l.APIVersion, yamldoc.FunctionGroup+"/")
}

// MaxLists is how deep lists may be nested in lists, and objects of the groups in objects. kubectl
// writes lists one deep; each level is read again.
const MaxLists = 8
