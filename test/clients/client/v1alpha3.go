//go:build v1alpha3

package main

import (
	apply "k8s.io/client-go/applyconfigurations/resource/v1alpha3"
	"k8s.io/client-go/kubernetes/typed/resource/v1alpha3"
)

var _ = register("v1alpha3", kindsOf(v1alpha3.NewForConfig, apply.ExtractResourceClaim,
	apply.ExtractResourceClaimTemplate))
