//go:build v1

package main

import (
	applied "k8s.io/client-go/applyconfigurations/resource/v1"
	v1 "k8s.io/client-go/kubernetes/typed/resource/v1"
)

var _ = speak("v1", of(v1.NewForConfig, applied.ExtractResourceClaim, applied.ExtractResourceClaimTemplate))
