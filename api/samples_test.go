package api_test

import (
	"os"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api"
)

// ofVersion is a kind of a version.
type ofVersion struct{ version, kind string }

func (k ofVersion) empty() runtime.Object { return api.New(k.version, k.kind) }

// kinds of all versions.
var kinds = func() (all []ofVersion) {
	for _, version := range api.Names() {
		all = append(all, ofVersion{version, api.KindClaim}, ofVersion{version, api.KindTemplate})
	}
	return all
}()

// upstreamSample is the kind with every field set, as the release itself serialised it (testdata/upstream/README.md).
func upstreamSample(t *testing.T, version, kind string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "upstream", "resource.k8s.io."+version+"."+kind+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
