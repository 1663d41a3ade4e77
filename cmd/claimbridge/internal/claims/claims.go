// Package claims says which objects of an input are meant: claims and templates of the groups that are asked for, and lists that
// may hold them.
package claims

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// Groups are those whose claims are meant.
type Groups []string

// Has reports whether the apiVersion is of one of the groups. Claims always have a group.
func (g Groups) Has(apiVersion string) bool {
	group, _, found := strings.Cut(apiVersion, "/")
	return found && (slices.Contains(g, "*") || slices.Contains(g, group))
}

// Names reports whether the group of an apiVersion, or all of it when it has no version, is one that claims are looked for
// in, by name.
func (g Groups) Names(apiVersion string) bool {
	group, _, _ := strings.Cut(apiVersion, "/")
	return slices.Contains(g, group) || group == api.Group
}

// Claim reports whether an object is a claim or template of one of the groups.
func (g Groups) Claim(apiVersion, kind string) bool {
	return (kind == api.KindClaim || kind == api.KindTemplate) && g.Has(apiVersion)
}

// ClaimList reports whether an object is a list of claims or of templates of one of the groups.
func (g Groups) ClaimList(apiVersion, kind string) bool {
	return (kind == api.KindClaim+"List" || kind == api.KindTemplate+"List") && g.Has(apiVersion)
}

// AnyList reports whether an object is a list of whatever it holds: what kubectl writes, or what kustomize and kpt hand to their functions.
func AnyList(apiVersion, kind string) bool {
	return apiVersion == "v1" && kind == "List" ||
		kind == "ResourceList" && strings.HasPrefix(apiVersion, manifest.FunctionGroup+"/")
}

// ListType is what a list says that it is.
type ListType struct{ APIVersion, Kind string }

// Any is AnyList.
func (l ListType) Any() bool { return AnyList(l.APIVersion, l.Kind) }

// TypeOfList is the type of a list as far as it is known.
func TypeOfList(list *manifest.List) ListType { return ListType{list.APIVersion, list.Kind} }

// Typed gives an item of a typed list its type, which the API server leaves out there.
func Typed(item []byte, list ListType) []byte {
	if apiVersion, kind := manifest.TypeOf(item); kind != "" || apiVersion != "" || list.Any() {
		return item
	}
	return manifest.Prepend(item, []manifest.Member{
		{Name: "apiVersion", Value: kjson.Quote(list.APIVersion)},
		{Name: "kind", Value: kjson.Quote(strings.TrimSuffix(list.Kind, "List"))},
	})
}

// MaxLists is how deep lists may be nested in lists, and objects of the groups in objects. kubectl writes lists one deep; each level is read again.
const MaxLists = 8

// ErrLists and ErrObjects are for what is beyond MaxLists.
var (
	ErrLists   = fmt.Errorf("lists are nested more than %d deep", MaxLists)
	ErrObjects = fmt.Errorf("objects are nested in one another more than %d deep", MaxLists)
)
