package v1beta2

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion is the group and version of Kubernetes' own API. To register the types in another group, use
// AddGroupToScheme.
var GroupVersion = schema.GroupVersion{Group: "resource.k8s.io", Version: "v1beta2"}

// AddToScheme registers the types in Kubernetes' own group.
func AddToScheme(s *runtime.Scheme) error { return AddGroupToScheme(s, GroupVersion.Group) }

// AddGroupToScheme registers the types in another group.
func AddGroupToScheme(s *runtime.Scheme, group string) error {
	gv := schema.GroupVersion{Group: group, Version: GroupVersion.Version}
	s.AddKnownTypes(gv, &ResourceClaim{}, &ResourceClaimList{}, &ResourceClaimTemplate{}, &ResourceClaimTemplateList{})
	metav1.AddToGroupVersion(s, gv)
	return nil
}
