//go:build from_1_33

// Package resourceclaimtemplate runs the tests of the strategy in Kubernetes'
// pkg/registry/resource/resourceclaimtemplate. test/oracle adds their file, which is in the module cache.
package resourceclaimtemplate

import (
	clientv1 "k8s.io/client-go/kubernetes/typed/core/v1"
	upstream "k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"

	"github.com/claimbridge/claimbridge/test/upstream/ask"
)

func NewStrategy(namespaces clientv1.NamespaceInterface) *ask.Strategy {
	return &ask.Strategy{
		RESTCreateUpdateStrategy: upstream.NewStrategy(namespaces), ValidateWrite: ask.Update,
	}
}
