package api_test

import (
	"os"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

// kinds of all versions. A new version is one more pair of lines here.
var kinds = []struct {
	version, kind string
	empty         func() runtime.Object
}{
	{"v1alpha1", "ResourceClaim", func() runtime.Object { return &v1alpha1.ResourceClaim{} }},
	{"v1alpha1", "ResourceClaimTemplate", func() runtime.Object { return &v1alpha1.ResourceClaimTemplate{} }},
	{"v1alpha2", "ResourceClaim", func() runtime.Object { return &v1alpha2.ResourceClaim{} }},
	{"v1alpha2", "ResourceClaimTemplate", func() runtime.Object { return &v1alpha2.ResourceClaimTemplate{} }},
	{"v1alpha3", "ResourceClaim", func() runtime.Object { return &v1alpha3.ResourceClaim{} }},
	{"v1alpha3", "ResourceClaimTemplate", func() runtime.Object { return &v1alpha3.ResourceClaimTemplate{} }},
}

// upstreamSample is the kind with every field set, as the release itself serialised it (testdata/upstream/README.md).
func upstreamSample(t *testing.T, version, kind string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "upstream", "resource.k8s.io."+version+"."+kind+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
