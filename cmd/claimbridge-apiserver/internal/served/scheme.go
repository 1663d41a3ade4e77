package served

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/claimbridge/claimbridge/api"
)

// NewScheme knows the types of all versions, their lists, options of requests and what answers may be beside objects.
func NewScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	for _, version := range Versions() {
		gv := schema.GroupVersion{Group: api.Group, Version: version}
		for _, kind := range Kinds(version) {
			scheme.AddKnownTypeWithName(gv.WithKind(kind.Kind), kind.New())
			scheme.AddKnownTypeWithName(gv.WithKind(kind.Kind+"List"), kind.NewList())
		}
		metav1.AddToGroupVersion(scheme, gv)
	}
	unversioned := schema.GroupVersion{Version: "v1"}
	metav1.AddToGroupVersion(scheme, unversioned)
	scheme.AddUnversionedTypes(unversioned,
		&metav1.Status{}, &metav1.APIVersions{}, &metav1.APIGroupList{}, &metav1.APIGroup{}, &metav1.APIResourceList{})
	return scheme
}
