//go:build !from_1_33

package main

import (
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"
)

// Up to 1.32 a result depends on the objects alone.
var (
	claimStrategy    = resourceclaim.Strategy
	statusStrategy   = resourceclaim.StatusStrategy
	templateStrategy = resourceclaimtemplate.Strategy
)
