// The typed Go client of Kubernetes 1.26.
package main

import (
	appliedv1alpha1 "k8s.io/client-go/applyconfigurations/resource/v1alpha1"
	"k8s.io/client-go/kubernetes/typed/resource/v1alpha1"

	"github.com/claimbridge/claimbridge/test/clients/client"
)

func main() {
	client.Main(client.Versions{
		"v1alpha1": client.Of(v1alpha1.NewForConfig, appliedv1alpha1.ExtractResourceClaim, appliedv1alpha1.ExtractResourceClaimTemplate),
	})
}
