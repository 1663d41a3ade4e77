// The typed Go client of Kubernetes 1.30.
package main

import (
	appliedv1alpha2 "k8s.io/client-go/applyconfigurations/resource/v1alpha2"
	"k8s.io/client-go/kubernetes/typed/resource/v1alpha2"

	"github.com/claimbridge/claimbridge/test/clients/client"
)

func main() {
	client.Main(client.Versions{
		"v1alpha2": client.Of(v1alpha2.NewForConfig, appliedv1alpha2.ExtractResourceClaim, appliedv1alpha2.ExtractResourceClaimTemplate),
	})
}
