//go:build v1alpha2

package main

import (
	apply "k8s.io/client-go/applyconfigurations/resource/v1alpha2"
	"k8s.io/client-go/kubernetes/typed/resource/v1alpha2"
)

var _ = register("v1alpha2", kindsOf(v1alpha2.NewForConfig, apply.ExtractResourceClaim,
	apply.ExtractResourceClaimTemplate))
