package api_test

import (
	"os"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// versionedKind is a kind in a version.
type versionedKind struct{ version, kind string }

func (k versionedKind) empty() runtime.Object { return api.New(k.version, k.kind) }

// kinds are the kinds of all versions.
var kinds = func() (all []versionedKind) {
	for _, version := range api.Names() {
		all = append(all, versionedKind{version, api.KindClaim}, versionedKind{version, api.KindTemplate})
	}
	return all
}()

// upstreamSamples returns the samples of a kind by the name of the file. They have every field, and releases that
// served the version encoded them (testdata/upstream/README.md).
func upstreamSamples(t *testing.T, k versionedKind) map[string][]byte {
	t.Helper()
	name := "resource.k8s.io." + k.version + "." + k.kind + ".json"
	older := must.Get(filepath.Glob(filepath.Join("testdata", "upstream", "*", name)))(t)
	samples := map[string][]byte{}
	for _, file := range append(older, filepath.Join("testdata", "upstream", name)) {
		data := must.Get(os.ReadFile(file))(t)
		samples[file] = data
	}
	return samples
}
