//go:build v1alpha1

package main

import (
	applied "k8s.io/client-go/applyconfigurations/resource/v1alpha1"
	"k8s.io/client-go/kubernetes/typed/resource/v1alpha1"
)

var _ = speak("v1alpha1", of(v1alpha1.NewForConfig, applied.ExtractResourceClaim, applied.ExtractResourceClaimTemplate))
