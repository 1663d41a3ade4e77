// The typed Go client of Kubernetes 1.28, whose v1alpha2 has no structured handles yet.
package main

import (
	api "k8s.io/api/resource/v1alpha2"
	applied "k8s.io/client-go/applyconfigurations/resource/v1alpha2"
	typed "k8s.io/client-go/kubernetes/typed/resource/v1alpha2"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/test/clients/client"
)

type (
	claimConfiguration    = applied.ResourceClaimApplyConfiguration
	templateConfiguration = applied.ResourceClaimTemplateApplyConfiguration
)

func main() {
	client.Main(func(config *rest.Config) (client.Kinds, error) {
		resource, err := typed.NewForConfig(config)
		return client.Kinds{
			"ResourceClaim": &client.Kind[api.ResourceClaim, api.ResourceClaimList, claimConfiguration]{
				API: func(namespace string) client.API[api.ResourceClaim, api.ResourceClaimList, claimConfiguration] {
					return resource.ResourceClaims(namespace)
				},
				Status: func(namespace string) client.Status[api.ResourceClaim, claimConfiguration] {
					return resource.ResourceClaims(namespace)
				},
				Extract: applied.ExtractResourceClaim,
			},
			"ResourceClaimTemplate": &client.Kind[api.ResourceClaimTemplate, api.ResourceClaimTemplateList, templateConfiguration]{
				API: func(namespace string) client.API[api.ResourceClaimTemplate, api.ResourceClaimTemplateList, templateConfiguration] {
					return resource.ResourceClaimTemplates(namespace)
				},
				Extract: applied.ExtractResourceClaimTemplate,
			},
		}, err
	})
}
