//go:build v1beta2

package main

import (
	applied "k8s.io/client-go/applyconfigurations/resource/v1beta2"
	"k8s.io/client-go/kubernetes/typed/resource/v1beta2"
)

var _ = speak("v1beta2", of(v1beta2.NewForConfig, applied.ExtractResourceClaim, applied.ExtractResourceClaimTemplate))
