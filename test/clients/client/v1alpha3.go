//go:build v1alpha3

package main

import (
	applied "k8s.io/client-go/applyconfigurations/resource/v1alpha3"
	"k8s.io/client-go/kubernetes/typed/resource/v1alpha3"
)

var _ = speak("v1alpha3", of(v1alpha3.NewForConfig, applied.ExtractResourceClaim, applied.ExtractResourceClaimTemplate))
