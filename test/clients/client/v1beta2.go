//go:build v1beta2

package main

import (
	apply "k8s.io/client-go/applyconfigurations/resource/v1beta2"
	"k8s.io/client-go/kubernetes/typed/resource/v1beta2"
)

var _ = register("v1beta2", kindsOf(v1beta2.NewForConfig, apply.ExtractResourceClaim,
	apply.ExtractResourceClaimTemplate))
