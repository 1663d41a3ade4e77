package review

import (
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/test/reviews"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// The effect None of a toleration came with 1.35.
func TestTheReleaseValidatesTheVersionsThatItServed(t *testing.T) {
	tolerant := `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a",` +
		`"namespace":"default"},"spec":{"devices":{"requests":[` +
		`{"name":"r","exactly":{"deviceClassName":"c","allocationMode":"ExactCount","count":1,` +
		`"tolerations":[{"key":"k","operator":"Exists","effect":"None"}]}}]}}}`
	inV1 := strings.ReplaceAll(reviews.Admission("CREATE", "", tolerant, "null"), `"version":"v1alpha2"`,
		`"version":"v1"`)
	inV1alpha2 := reviews.Admission("CREATE", "", reviews.ClaimV1alpha2, "null")
	// which keeps what v1alpha3 does not know
	flat, _, err := conversion.ConvertJSON([]byte(tolerant), "v1alpha3", conversion.Options{})
	if err != nil {
		t.Fatal(err)
	}
	inV1alpha3 := strings.ReplaceAll(reviews.Admission("CREATE", "", string(flat), "null"), `"version":"v1alpha2"`,
		`"version":"v1alpha3"`)
	tests := map[string]struct {
		release, body string
		allowed       bool
	}{
		"by default":                  {"", inV1, true},
		"an older version by default": {"", inV1alpha3, true},
		"an older version, by the release of the one that it is stored in": {"1.34", inV1alpha3, false},
		"by the release before the effect":                                 {"1.34", inV1, false},
		"by the release that brought it":                                   {"1.35", inV1, true},
		"a version that the release does not serve":                        {"1.34", inV1alpha2, true},
		"a version that came later than the release":                       {"1.31", inV1, true},
		"a version whose only release is asked about":                      {"1.30", inV1alpha2, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			releases := must.Get(ReleasesOf(test.release))(t)
			response := reviews.DecodeAdmission(t,
				serve(newServer(t, Options{Releases: releases}), reviews.NewRequest("/validate", test.body))).Response
			if response.Allowed != test.allowed {
				t.Errorf("%+v", response)
			}
		})
	}
}
