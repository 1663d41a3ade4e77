package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion of upstream's API. Another group is served by AddToScheme's twin, AddGroupToScheme.
var GroupVersion = schema.GroupVersion{Group: "resource.k8s.io", Version: "v1beta1"}

// AddToScheme registers the types under upstream's group.
func AddToScheme(s *runtime.Scheme) error { return AddGroupToScheme(s, GroupVersion.Group) }

// AddGroupToScheme registers the types under a group of one's own.
func AddGroupToScheme(s *runtime.Scheme, group string) error {
	gv := schema.GroupVersion{Group: group, Version: GroupVersion.Version}
	s.AddKnownTypes(gv, &ResourceClaim{}, &ResourceClaimList{}, &ResourceClaimTemplate{}, &ResourceClaimTemplateList{})
	metav1.AddToGroupVersion(s, gv)
	return nil
}
