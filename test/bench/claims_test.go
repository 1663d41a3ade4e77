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

// generateClaims returns different claims of a version, as an API server sends them, each of about size bytes. They
// are copies of the claim in testdata, which has an owner, managed fields, an allocation, and data that the other
// versions can't represent.
func generateClaims(tb testing.TB, version string, count, size int) (claims [][]byte) {
	tb.Helper()
	text := must.Get(os.ReadFile("testdata/" + version + ".yaml"))(tb)
	template := must.Get(yaml.YAMLToJSON(text))(tb)
	// The template has the text PAD in several values.
	paddingLength := max(size-len(template), 0) / bytes.Count(template, []byte("PAD"))
	for i := range count {
		replacer := strings.NewReplacer(
			"PAD", padding(i, paddingLength),
			"trainer-0", fmt.Sprintf("trainer-%d", i),
			"worker-0", fmt.Sprintf("worker-%d", i%100),
			"5bd1e995-", fmt.Sprintf("%08x-", 0x5bd1e995*uint32(i+1)), // the beginning of UIDs
		)
		claims = append(claims, []byte(replacer.Replace(string(template))))
	}
	return claims
}

// claimName returns the name of a claim of generateClaims.
func claimName(i int) string { return fmt.Sprintf("trainer-%d-gpu", i) }

// padding returns text of a length, which differs for each seed.
func padding(seed, length int) string {
	var b strings.Builder
	for n := 0; b.Len() < length; n++ {
		fmt.Fprintf(&b, "%x ", uint32(2654435761)*uint32(seed+31*n+1))
	}
	return b.String()[:length]
}

// conversionReview returns a request to convert objects to a version.
func conversionReview(desiredVersion string, objects ...[]byte) []byte {
	return fmt.Appendf(nil, `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{`+
		`"uid":"705ab4f5-6393-11e8-b7cc-42010a800002","desiredAPIVersion":"%s/%s","objects":[%s]}}`+"\n",
		api.Group, desiredVersion, bytes.Join(objects, []byte(",")))
}

// TestClaimsAreValid checks that the claims of the benchmarks are valid in their version, and convert to each other
// version.
func TestClaimsAreValid(t *testing.T) {
	const minSize, maxSize = 1900, 2400
	for _, version := range conversion.Versions() {
		for _, claim := range generateClaims(t, version, 2, 2<<10) {
			if len(claim) < minSize || len(claim) > maxSize {
				t.Errorf("%s: got %d bytes, want %d to %d", version, len(claim), minSize, maxSize)
			}
			for _, request := range []validation.Request{
				{Operation: validation.Create, Object: claim},
				{
					Operation: validation.UpdateStatus,
					OldObject: bytes.Replace(claim, []byte(`"allocation":`), []byte(`"unused":`), 1),
					Object:    claim,
				},
			} {
				result, err := validation.Validate(t.Context(), request)
				if err != nil || len(result.Errors) > 0 {
					t.Errorf("%s: %s: got %v, %v, want no errors", version, request.Operation, result.Errors, err)
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
