package conversion

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// Contents of annotations of another claim.
const (
	forgedSpec = `{"devices":{"requests":[{"name":"forged","exactly":{"deviceClassName":"forged.example.com",` +
		`"allocationMode":"ExactCount","count":2}}]}}`
	forgedStatus = `{"allocation":{"devices":{"results":[{"request":"claim","driver":"evil.example.com","pool":"p",` +
		`"device":"stolen"}]}}}`
)

// A preserved text that is not an object is ignored and reported. The result stays valid JSON.
func TestStatusMustBeAnObject(t *testing.T) {
	for _, version := range []string{"v1alpha1", "v1alpha2", "v1alpha3"} {
		for _, text := range []string{"", " ", "null", "[]", "1", `"{}"`, "{", "{} {}", "nothing "} {
			quoted := func(text string) string { return string(objectjson.Quote(text)) }
			for name, object := range map[string]string{
				"field": `"metadata":{"name":"a","uid":"u"},"spec":{},"status":{"claimbridgeLeftover":` +
					quoted("v1:"+text) + `}`,
				"status": `"metadata":{"name":"a","uid":"u","annotations":{"claimbridge.dev/v1-status":` +
					quoted(`{"uid":"u","status":`+text+`}`) + `}},"spec":{},"status":{}`,
				"spec": `"metadata":{"name":"a","uid":"u","annotations":{"claimbridge.dev/v1-spec":` + quoted(text) +
					`}},"spec":{},"status":{}`,
			} {
				object = `{"apiVersion":"resource.k8s.io/` + version + `","kind":"ResourceClaim",` + object + `}`
				out, report, err := ConvertJSON([]byte(object), Stored(), Options{})
				if err != nil || !json.Valid(out) || bytes.Contains(out, []byte("null")) || len(report.Ignored) != 1 {
					t.Errorf("%s of %s, %q: %s %v %v", name, version, text, out, report.Ignored, err)
				}
				if findings, err := inspect([]byte(object)); err != nil || len(findings) == 0 {
					t.Errorf("%s of %s, %q: nothing is found: %v", name, version, text, err)
				}
			}
		}
	}
}

// An annotation cannot store data that a schema rejects and Go types accept.
func TestDataThatSchemasRejectIsNotPreserved(t *testing.T) {
	for what, test := range map[string]struct {
		exactly string
		found   bool
	}{
		"a null among tolerations": {`"tolerations":[null]`, true},
		"a fraction":               {`"capacity":{"requests":{"m":1.5}}`, true},
		"a sign":                   {`"c\u0061pacity":{"requests":{"m":"+"}}`, true},
		"a number beyond 64 bits":  {`"capacity":{"requests":{"m":9223372036854775808}}`, true},
		"many derived attributes":  {`"derivedAttributes":[{}` + strings.Repeat(",{}", 128) + `]`, true},
		"valid quantities": {
			`"capacity":{"requests":{"m":"1.5","n":-9,"o":"1e3","p":1000000000000000000}},"selectors":null`,
			false,
		},
	} {
		spec := `{"devices":{"requests":[{"name":"claim","exactly":{"deviceClassName":"c",` +
			`"allocationMode":"ExactCount","count":1,` + test.exactly + `}}]}}`
		object := `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"a",` +
			`"annotations":{"claimbridge.dev/v1-spec":` +
			string(objectjson.Quote(spec)) +
			`}},"spec":{"resourceClassName":"c","allocationMode":"WaitForFirstConsumer"}}`
		stored, _, err := ConvertJSON([]byte(object), Stored(), Options{})
		preservedSpec := []byte(`exactly":{"deviceClassName":"c","allocationMode":"ExactCount","count":1,`)
		if err != nil || bytes.Contains(stored, preservedSpec) == test.found {
			t.Errorf("%s: %v %s", what, err, stored)
		}
		if findings, err := inspect([]byte(object)); err != nil || (len(findings) > 0) != test.found {
			t.Errorf("%s: %v %v", what, findings, err)
		}
	}
}

// An annotation cannot add entries of claimbridge that v1 rejects.
func TestPreservedEntriesAreThoseOfV1(t *testing.T) {
	for _, opaque := range []string{
		`{"driver":"d.io","parameters":{"apiVersion":"claimbridge.dev/v1","kind":"ClassicClaimSpec",` +
			`"allocationMode":"Immediate"}}`,
		`{"driver":"claimbridge.dev","parameters":{"apiVersion":"claimbridge.dev/v1","kind":"ResourceHandle",` +
			`"driver":"d.io","device":"handle-0","data":"x"}}`,
		`{"driver":"claimbridge.dev","parameters":{"apiVersion":"claimbridge.dev/v1","kind":"ControlPlaneClaim",` +
			`"controller":"BAD NAME"}}`,
	} {
		spec := `{"devices":{"requests":[{"name":"claim","exactly":{"deviceClassName":"c",` +
			`"allocationMode":"ExactCount","count":1}}],"config":[{"opaque":` + opaque + `}]}}`
		inV1 := `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a"},"spec":` + spec + `}`
		if findings, err := inspect([]byte(inV1)); err != nil || len(findings) == 0 {
			t.Fatalf("%s: v1 takes it: %v", opaque, err)
		}
		for _, version := range []string{"v1alpha1", "v1alpha2"} {
			object := `{"apiVersion":"resource.k8s.io/` + version +
				`","kind":"ResourceClaim","metadata":{"name":"a","annotations":{"claimbridge.dev/v1-spec":` +
				string(objectjson.Quote(spec)) +
				`}},"spec":{"resourceClassName":"c","allocationMode":"WaitForFirstConsumer"}}`
			if findings, err := inspect([]byte(object)); err != nil || len(findings) == 0 {
				t.Errorf("%s takes %s: %v", version, opaque, err)
			}
		}
	}
}
