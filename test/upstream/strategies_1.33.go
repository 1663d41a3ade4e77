//go:build from_1_33 && !from_1_36

package main

import (
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"
)

// From 1.33 on who asks for admin access needs a label of the namespace.
var (
	claimStrategy    = resourceclaim.NewStrategy(namespaces{})
	statusStrategy   = resourceclaim.NewStatusStrategy(claimStrategy)
	templateStrategy = resourceclaimtemplate.NewStrategy(namespaces{})
)
