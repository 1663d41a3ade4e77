// The typed Go client of Kubernetes 1.33.
package main

import (
	appliedv1alpha3 "k8s.io/client-go/applyconfigurations/resource/v1alpha3"
	appliedv1beta1 "k8s.io/client-go/applyconfigurations/resource/v1beta1"
	appliedv1beta2 "k8s.io/client-go/applyconfigurations/resource/v1beta2"
	"k8s.io/client-go/kubernetes/typed/resource/v1alpha3"
	"k8s.io/client-go/kubernetes/typed/resource/v1beta1"
	"k8s.io/client-go/kubernetes/typed/resource/v1beta2"

	"github.com/claimbridge/claimbridge/test/clients/client"
)

func main() {
	client.Main(client.Versions{
		"v1alpha3": client.Of(v1alpha3.NewForConfig, appliedv1alpha3.ExtractResourceClaim, appliedv1alpha3.ExtractResourceClaimTemplate),
		"v1beta1":  client.Of(v1beta1.NewForConfig, appliedv1beta1.ExtractResourceClaim, appliedv1beta1.ExtractResourceClaimTemplate),
		"v1beta2":  client.Of(v1beta2.NewForConfig, appliedv1beta2.ExtractResourceClaim, appliedv1beta2.ExtractResourceClaimTemplate),
	})
}
