package bench

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/validation"
)

// claimsOf are n claims of a version, no two the same and each of about a size, as an API server
// sends them. They are those of testdata: as a cluster in use has them, with an owner, managed
// fields, an allocation, and something that the other versions cannot say.
func claimsOf(tb testing.TB, version string, n, size int) (all [][]byte) {
	tb.Helper()
	text := must.Get(os.ReadFile("testdata/" + version + ".yaml"))(tb)
	object := must.Get(yaml.YAMLToJSON(text))(tb)
	notes := bytes.Count(object, []byte("PAD"))
	for i := range n {
		note := max(size-len(object), 0) / notes
		all = append(all, []byte(strings.NewReplacer(
			"PAD", words(i,
				note), "trainer-0", fmt.Sprintf("trainer-%d", i), "worker-0", fmt.Sprintf("worker-%d", i%100),
			"5bd1e995-", fmt.Sprintf("%08x-", 0x5bd1e995*uint32(i+1)),
		).Replace(string(object))))
	}
	return all
}

// words of a length, in lower case.
func words(seed, length int) string {
	var b strings.Builder
	for n := 0; b.Len() < length; n++ {
		fmt.Fprintf(&b, "%x ", uint32(2654435761)*uint32(seed+31*n+1))
	}
	return b.String()[:length]
}

// review that asks for a version of objects.
func review(version string, objects ...[]byte) []byte {
	return fmt.Appendf(nil, `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{`+
		`"uid":"705ab4f5-6393-11e8-b7cc-42010a800002","desiredAPIVersion":"%s/%s","objects":[%s]}}`+"\n",
		api.Group, version, bytes.Join(objects, []byte(",")))
}

// The claims of the benchmarks are valid in their version, and convert to each other one.
func TestClaimsAreLegal(t *testing.T) {
	for _, version := range conversion.Versions() {
		for _, claim := range claimsOf(t, version, 2, 2<<10) {
			if len(claim) < 1900 || len(claim) > 2400 {
				t.Errorf("%s: %d bytes", version, len(claim))
			}
			for _, write := range []validation.Request{
				{Operation: validation.Create, Object: claim},
				{
					Operation: validation.UpdateStatus,
					OldObject: bytes.Replace(claim, []byte(`"allocation":`), []byte(`"unused":`), 1),
					Object:    claim,
				},
			} {
				if result, err := validation.Validate(t.Context(), write); err != nil || len(result.Errors) > 0 {
					t.Errorf("%s: %s: %v, %v", version, write.Operation, result.Errors, err)
				}
			}
			for _, to := range conversion.Versions() {
				if _, _, err := conversion.ConvertJSON(claim, to, conversion.Options{}); err != nil {
					t.Errorf("%s to %s: %v", version, to, err)
				}
			}
		}
	}
}
