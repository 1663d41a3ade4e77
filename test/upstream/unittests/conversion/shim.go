//go:build from_1_33

// Package v1beta1 runs the tests of conversions in Kubernetes' pkg/apis/resource/v1beta1. test/oracle adds their file,
// which is in the module cache. claimbridge converts the claims. It does not convert slices.
package v1beta1

import (
	resourcev1beta1 "k8s.io/api/resource/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/apis/resource"

	"github.com/claimbridge/claimbridge/test/upstream/ask"
)

// AddToScheme registers the conversions of claims.
func AddToScheme(scheme *runtime.Scheme) error {
	from, to := (*resourcev1beta1.ResourceClaim)(nil), (*resource.ResourceClaim)(nil)
	if err := scheme.AddConversionFunc(from, to, fromVersion); err != nil {
		return err
	}
	return scheme.AddConversionFunc(to, from, toVersion)
}

func fromVersion(in, out any, _ conversion.Scope) error {
	converted, err := ask.FromVersion(in.(*resourcev1beta1.ResourceClaim), "v1beta1", "ResourceClaim")
	if err != nil {
		return err
	}
	*out.(*resource.ResourceClaim) = *converted.(*resource.ResourceClaim)
	return nil
}

func toVersion(in, out any, _ conversion.Scope) error {
	claim := out.(*resourcev1beta1.ResourceClaim)
	err := ask.ToVersion(in.(*resource.ResourceClaim), claim, "v1beta1")
	claim.TypeMeta = metav1.TypeMeta{}
	return err
}
