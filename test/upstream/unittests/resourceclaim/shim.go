// Package resourceclaim runs the tests of the strategies in Kubernetes' pkg/registry/resource/resourceclaim. test/oracle
// adds their file, which is in the module cache. The functions and variables that they test are those of this package.
package resourceclaim

import (
	"k8s.io/apiserver/pkg/registry/rest"

	"github.com/claimbridge/claimbridge/test/upstream/ask"
)

// strategy of claims, and of their status.
type strategy struct {
	*ask.Strategy
	status *ask.Strategy
}

func newStrategy(claims, status rest.RESTCreateUpdateStrategy) strategy {
	return strategy{
		Strategy: &ask.Strategy{RESTCreateUpdateStrategy: claims, ValidateWrite: ask.Update},
		status:   &ask.Strategy{RESTCreateUpdateStrategy: status, ValidateWrite: ask.UpdateStatus},
	}
}

func NewStatusStrategy(s strategy) *ask.Strategy { return s.status }
