// The typed Go client of Kubernetes 1.30.
package main

import (
	appliedv1alpha2 "k8s.io/client-go/applyconfigurations/resource/v1alpha2"
	"k8s.io/client-go/kubernetes/typed/resource/v1alpha2"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/test/clients/client"
)

func main() {
	client.Main(client.Versions{
		"v1alpha2": func(config *rest.Config) (client.Kinds, error) {
			c, err := v1alpha2.NewForConfig(config)
			return client.Of(c.ResourceClaims, appliedv1alpha2.ExtractResourceClaim, c.ResourceClaimTemplates, appliedv1alpha2.ExtractResourceClaimTemplate), err
		},
	})
}
