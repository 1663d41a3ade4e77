//go:build v1alpha2

package main

import (
	applied "k8s.io/client-go/applyconfigurations/resource/v1alpha2"
	"k8s.io/client-go/kubernetes/typed/resource/v1alpha2"
)

var _ = speak("v1alpha2", of(v1alpha2.NewForConfig, applied.ExtractResourceClaim, applied.ExtractResourceClaimTemplate))
