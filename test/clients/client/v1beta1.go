//go:build v1beta1

package main

import (
	apply "k8s.io/client-go/applyconfigurations/resource/v1beta1"
	"k8s.io/client-go/kubernetes/typed/resource/v1beta1"
)

var _ = register("v1beta1", kindsOf(v1beta1.NewForConfig, apply.ExtractResourceClaim,
	apply.ExtractResourceClaimTemplate))
