//go:build from_1_33 && !from_1_36

package resourceclaim

import (
	clientv1 "k8s.io/client-go/kubernetes/typed/core/v1"
	upstream "k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
)

func NewStrategy(namespaces clientv1.NamespaceInterface) strategy {
	claims := upstream.NewStrategy(namespaces)
	return newStrategy(claims, upstream.NewStatusStrategy(claims))
}
