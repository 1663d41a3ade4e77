// The typed Go client of Kubernetes 1.31.
package main

import (
	appliedv1alpha3 "k8s.io/client-go/applyconfigurations/resource/v1alpha3"
	"k8s.io/client-go/kubernetes/typed/resource/v1alpha3"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/test/clients/client"
)

func main() {
	client.Main(client.Versions{
		"v1alpha3": func(config *rest.Config) (client.Kinds, error) {
			c, err := v1alpha3.NewForConfig(config)
			return client.Of(c.ResourceClaims, appliedv1alpha3.ExtractResourceClaim, c.ResourceClaimTemplates, appliedv1alpha3.ExtractResourceClaimTemplate), err
		},
	})
}
