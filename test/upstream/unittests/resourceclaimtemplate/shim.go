// Package resourceclaimtemplate runs the tests of the strategy in Kubernetes'
// pkg/registry/resource/resourceclaimtemplate. test/oracle adds their file, which is in the module cache. The function
// or variable that they test is that of this package.
package resourceclaimtemplate

import (
	"k8s.io/apiserver/pkg/registry/rest"

	"github.com/claimbridge/claimbridge/test/upstream/ask"
)

func newStrategy(templates rest.RESTCreateUpdateStrategy) *ask.Strategy {
	return &ask.Strategy{RESTCreateUpdateStrategy: templates, ValidateWrite: ask.Update}
}
