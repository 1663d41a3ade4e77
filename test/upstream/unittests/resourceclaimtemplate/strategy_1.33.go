//go:build from_1_33

package resourceclaimtemplate

import (
	clientv1 "k8s.io/client-go/kubernetes/typed/core/v1"
	upstream "k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"

	"github.com/claimbridge/claimbridge/test/upstream/ask"
)

func NewStrategy(namespaces clientv1.NamespaceInterface) *ask.Strategy {
	return newStrategy(upstream.NewStrategy(namespaces))
}
