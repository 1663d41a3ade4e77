//go:build from_1_36

package main

import (
	"context"

	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"
)

// From 1.36 on who writes a part of the status needs a right to that part.
var (
	claimStrategy    = resourceclaim.NewStrategy(namespaces{}, everyRight{})
	statusStrategy   = resourceclaim.NewStatusStrategy(claimStrategy)
	templateStrategy = resourceclaimtemplate.NewStrategy(namespaces{})
)

// everyRight grants all permissions: the API server of a CRD checks them, and not its webhook.
type everyRight struct{}

// Authorize allows it.
func (everyRight) Authorize(context.Context, authorizer.Attributes) (authorizer.Decision, string, error) {
	return authorizer.DecisionAllow, "", nil
}
