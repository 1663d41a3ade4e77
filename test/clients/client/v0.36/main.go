// The typed Go client of Kubernetes 1.36.
package main

import (
	appliedv1 "k8s.io/client-go/applyconfigurations/resource/v1"
	appliedv1beta1 "k8s.io/client-go/applyconfigurations/resource/v1beta1"
	appliedv1beta2 "k8s.io/client-go/applyconfigurations/resource/v1beta2"
	v1 "k8s.io/client-go/kubernetes/typed/resource/v1"
	"k8s.io/client-go/kubernetes/typed/resource/v1beta1"
	"k8s.io/client-go/kubernetes/typed/resource/v1beta2"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/test/clients/client"
)

func main() {
	client.Main(client.Versions{
		"v1beta1": func(config *rest.Config) (client.Kinds, error) {
			c, err := v1beta1.NewForConfig(config)
			return client.Of(c.ResourceClaims, appliedv1beta1.ExtractResourceClaim, c.ResourceClaimTemplates, appliedv1beta1.ExtractResourceClaimTemplate), err
		},
		"v1beta2": func(config *rest.Config) (client.Kinds, error) {
			c, err := v1beta2.NewForConfig(config)
			return client.Of(c.ResourceClaims, appliedv1beta2.ExtractResourceClaim, c.ResourceClaimTemplates, appliedv1beta2.ExtractResourceClaimTemplate), err
		},
		"v1": func(config *rest.Config) (client.Kinds, error) {
			c, err := v1.NewForConfig(config)
			return client.Of(c.ResourceClaims, appliedv1.ExtractResourceClaim, c.ResourceClaimTemplates, appliedv1.ExtractResourceClaimTemplate), err
		},
	})
}
