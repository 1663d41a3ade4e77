//go:build from_1_36

// Package resourceclaim runs the tests of the strategies in Kubernetes' pkg/registry/resource/resourceclaim. test/oracle
// adds their file, which is in the module cache.
package resourceclaim

import (
	"context"

	"k8s.io/apiserver/pkg/authorization/authorizer"
	clientv1 "k8s.io/client-go/kubernetes/typed/core/v1"
	upstream "k8s.io/kubernetes/pkg/registry/resource/resourceclaim"

	"github.com/claimbridge/claimbridge/test/upstream/ask"
)

// rights of users, an interface whose name differs between releases.
type rights interface {
	Authorize(context.Context, authorizer.Attributes) (authorizer.Decision, string, error)
}

// strategy of claims, and of their status.
type strategy struct {
	*ask.Strategy
	status *ask.Strategy
}

func NewStrategy(namespaces clientv1.NamespaceInterface, rights rights) strategy {
	claims := upstream.NewStrategy(namespaces, rights)
	return strategy{
		Strategy: &ask.Strategy{RESTCreateUpdateStrategy: claims, ValidateWrite: ask.Update},
		status: &ask.Strategy{
			RESTCreateUpdateStrategy: upstream.NewStatusStrategy(claims),
			ValidateWrite:            ask.UpdateStatus,
		},
	}
}

func NewStatusStrategy(s strategy) *ask.Strategy { return s.status }
