//go:build v1

package main

import (
	apply "k8s.io/client-go/applyconfigurations/resource/v1"
	v1 "k8s.io/client-go/kubernetes/typed/resource/v1"
)

var _ = register("v1", kindsOf(v1.NewForConfig, apply.ExtractResourceClaim, apply.ExtractResourceClaimTemplate))
