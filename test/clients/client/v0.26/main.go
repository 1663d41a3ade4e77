// The typed Go client of Kubernetes 1.26.
package main

import (
	appliedv1alpha1 "k8s.io/client-go/applyconfigurations/resource/v1alpha1"
	"k8s.io/client-go/kubernetes/typed/resource/v1alpha1"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/test/clients/client"
)

func main() {
	client.Main(client.Versions{
		"v1alpha1": func(config *rest.Config) (client.Kinds, error) {
			c, err := v1alpha1.NewForConfig(config)
			return client.Of(c.ResourceClaims, appliedv1alpha1.ExtractResourceClaim, c.ResourceClaimTemplates, appliedv1alpha1.ExtractResourceClaimTemplate), err
		},
	})
}
