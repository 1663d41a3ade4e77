//go:build from_1_36

package resourceclaim

import (
	"context"

	"k8s.io/apiserver/pkg/authorization/authorizer"
	clientv1 "k8s.io/client-go/kubernetes/typed/core/v1"
	upstream "k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
)

// rights of users, an interface whose name differs between releases.
type rights interface {
	Authorize(context.Context, authorizer.Attributes) (authorizer.Decision, string, error)
}

func NewStrategy(namespaces clientv1.NamespaceInterface, rights rights) strategy {
	claims := upstream.NewStrategy(namespaces, rights)
	return newStrategy(claims, upstream.NewStatusStrategy(claims))
}
