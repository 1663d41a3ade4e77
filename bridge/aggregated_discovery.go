package bridge

import (
	"encoding/json"
	"slices"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/bridge/internal/kinds"
)

// addAggregated adds the versions to the document that has all groups with their resources, each as the cluster has the version from which it
// is answered.
func (t *transport) addAggregated(body map[string]any, known served) {
	items, _ := body["items"].([]any)
	at := slices.IndexFunc(items, func(g any) bool { return member(member(g, "metadata"), "name") == api.Group })
	if at < 0 {
		items, at = append(items, map[string]any{"metadata": map[string]any{"name": api.Group}}), len(items)
	}
	group, is := items[at].(map[string]any)
	if !is {
		return
	}
	versions, _ := group["versions"].([]any)
	from := slices.IndexFunc(versions, func(v any) bool { return member(v, "version") == known.newest() })
	for _, version := range t.shown(known) {
		added := map[string]any{"version": version, "freshness": "Current", "resources": absentResources(version)}
		if from >= 0 {
			added["resources"] = renamed(member(versions[from], "resources"), version)
		}
		versions = append(versions, added)
	}
	group["versions"] = versions
	body["items"] = items
}

// renamed resources of another version.
func renamed(all any, version string) []any {
	var copied []any
	raw, _ := json.Marshal(all) // it was read from JSON
	_ = json.Unmarshal(raw, &copied)
	copied = resourcesOf(copied, "resource", version)
	for _, r := range copied {
		rename(member(r, "responseKind"), version)
		subresources, _ := member(r, "subresources").([]any)
		for _, s := range subresources {
			rename(member(s, "responseKind"), version)
		}
		if slices.Contains(kinds.Views, version) {
			delete(r.(map[string]any), "subresources")
		}
	}
	return copied
}

func rename(kind any, version string) {
	if m, is := kind.(map[string]any); is {
		m["version"] = version
	}
}

// absentResources of a version in a cluster that has none.
func absentResources(version string) (all []any) {
	for _, k := range kinds.Of(version) {
		all = append(all, map[string]any{
			"resource": k.Resource, "singularResource": k.Singular, "scope": scope(k), "verbs": kinds.Verbs(version),
			"responseKind": map[string]any{"group": api.Group, "version": version, "kind": k.Kind},
		})
	}
	return all
}

func scope(k kinds.Kind) string {
	if k.Namespaced {
		return "Namespaced"
	}
	return "Cluster"
}
