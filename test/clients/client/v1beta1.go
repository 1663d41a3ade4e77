//go:build v1beta1

package main

import (
	applied "k8s.io/client-go/applyconfigurations/resource/v1beta1"
	"k8s.io/client-go/kubernetes/typed/resource/v1beta1"
)

var _ = speak("v1beta1", of(v1beta1.NewForConfig, applied.ExtractResourceClaim, applied.ExtractResourceClaimTemplate))
