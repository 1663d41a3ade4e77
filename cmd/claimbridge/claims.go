package main

import (
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
)

const (
	kindClaim    = api.KindClaim
	kindTemplate = api.KindTemplate
)

// groups whose claims are meant.
type groups []string

// has tells whether the apiVersion is of one of the groups. Claims always have a group.
func (g groups) has(apiVersion string) bool {
	group, _, found := strings.Cut(apiVersion, "/")
	if !found {
		return false
	}
	for _, wanted := range g {
		if wanted == "*" || wanted == group {
			return true
		}
	}
	return false
}

// claim or template, of one of the groups.
func (g groups) claim(apiVersion, kind string) bool {
	return (kind == kindClaim || kind == kindTemplate) && g.has(apiVersion)
}

// claimList is a list of claims or of templates, of one of the groups.
func (g groups) claimList(apiVersion, kind string) bool {
	return (kind == kindClaim+"List" || kind == kindTemplate+"List") && g.has(apiVersion)
}

// anyList is a list of whatever it holds: what kubectl writes, or what kustomize and kpt hand to their functions.
func anyList(apiVersion, kind string) bool {
	return apiVersion == "v1" && kind == "List" ||
		kind == "ResourceList" && strings.HasPrefix(apiVersion, manifest.FunctionGroup+"/")
}

// is anyList.
func (l listType) any() bool { return anyList(l.apiVersion, l.kind) }

// listType is what a list says that it is.
type listType struct{ apiVersion, kind string }

func typeOfList(list *manifest.List) listType { return listType{list.APIVersion, list.Kind} }

// typed gives an item of a typed list its type, which the API server leaves out there.
func typed(item []byte, list listType) []byte {
	if apiVersion, kind := manifest.TypeOf(item); kind != "" || apiVersion != "" || list.any() {
		return item
	}
	return manifest.Prepend(item, []manifest.Member{
		{Name: "apiVersion", Value: manifest.Quote(list.apiVersion)},
		{Name: "kind", Value: manifest.Quote(strings.TrimSuffix(list.kind, "List"))},
	})
}
