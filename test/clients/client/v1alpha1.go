//go:build v1alpha1

package main

import (
	apply "k8s.io/client-go/applyconfigurations/resource/v1alpha1"
	"k8s.io/client-go/kubernetes/typed/resource/v1alpha1"
)

var _ = register("v1alpha1", kindsOf(v1alpha1.NewForConfig, apply.ExtractResourceClaim,
	apply.ExtractResourceClaimTemplate))
