package bridge

import (
	"slices"
	"strings"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/bridge/jsonconvert"
)

// addAggregatedVersions adds versions to the aggregated discovery document, which has all groups with their resources.
func addAggregatedVersions(document map[string]any, extra []string) {
	items, _ := document["items"].([]any)
	i := slices.IndexFunc(items, func(g any) bool {
		return memberOf(memberOf(g, "metadata"), "name") == jsonconvert.Group
	})
	if i < 0 {
		i = len(items)
		items = append(items, map[string]any{"metadata": map[string]any{"name": jsonconvert.Group}})
	}
	group, isObject := items[i].(map[string]any)
	if !isObject {
		return
	}
	versions, _ := group["versions"].([]any)
	for _, version := range extra {
		versions = append(versions, map[string]any{
			"version": version, "freshness": "Current", "resources": aggregatedResources(version),
		})
	}
	group["versions"] = versions
	document["items"] = items
}

// aggregatedResources returns the resources of a version in the form of aggregated discovery: subresources are below
// their resource.
func aggregatedResources(version string) (resources []apidiscovery.APIResourceDiscovery) {
	for _, r := range resourceList(version).APIResources {
		kind := &metav1.GroupVersionKind{Group: jsonconvert.Group, Version: version, Kind: r.Kind}
		if _, subresource, isSubresource := strings.Cut(r.Name, "/"); isSubresource {
			parent := &resources[len(resources)-1]
			parent.Subresources = append(parent.Subresources, apidiscovery.APISubresourceDiscovery{
				Subresource: subresource, ResponseKind: kind, Verbs: r.Verbs,
			})
			continue
		}
		scope := apidiscovery.ScopeCluster
		if r.Namespaced {
			scope = apidiscovery.ScopeNamespace
		}
		resources = append(resources, apidiscovery.APIResourceDiscovery{
			Resource: r.Name, SingularResource: r.SingularName, Scope: scope, Verbs: r.Verbs, ResponseKind: kind,
		})
	}
	return resources
}
