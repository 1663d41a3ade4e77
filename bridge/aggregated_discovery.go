package bridge

import (
	"slices"
	"strings"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/api"
)

// addAggregated adds the versions to the document that has all groups with their resources.
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
	for _, version := range t.shown(known) {
		versions = append(versions, map[string]any{
			"version": version, "freshness": "Current", "resources": aggregated(version),
		})
	}
	group["versions"] = versions
	body["items"] = items
}

// aggregated is the list of the resources of a version, in the other form: subresources are below their resource.
func aggregated(version string) (all []apidiscovery.APIResourceDiscovery) {
	for _, r := range resourceList(version).APIResources {
		kind := &metav1.GroupVersionKind{Group: api.Group, Version: version, Kind: r.Kind}
		if _, subresource, is := strings.Cut(r.Name, "/"); is {
			of := &all[len(all)-1]
			of.Subresources = append(of.Subresources, apidiscovery.APISubresourceDiscovery{
				Subresource: subresource, ResponseKind: kind, Verbs: r.Verbs,
			})
			continue
		}
		scope := apidiscovery.ScopeCluster
		if r.Namespaced {
			scope = apidiscovery.ScopeNamespace
		}
		all = append(all, apidiscovery.APIResourceDiscovery{
			Resource: r.Name, SingularResource: r.SingularName, Scope: scope, Verbs: r.Verbs, ResponseKind: kind,
		})
	}
	return all
}
