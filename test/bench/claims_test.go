package main

import (
	"encoding/json"
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/test/bench/claims"
	"github.com/claimbridge/claimbridge/validation"
)

// What is measured with is legal in its version, and is converted between each two.
func TestObjectsOfAllVersions(t *testing.T) {
	for _, version := range conversion.Versions() {
		for _, kind := range []string{"claim", "template"} {
			for _, leftovers := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s %s, leftovers %t", version, kind, leftovers), func(t *testing.T) {
					object := claims.Sized(2<<10, func(growth int) runtime.Object { return claims.Object(version, kind, leftovers, growth) })
					mustBeLegal(t, validation.Request{Operation: validation.Create, Object: object})
					if kind == "claim" {
						mustBeLegal(t, validation.Request{Operation: validation.UpdateStatus, OldObject: withoutStatus(t, object), Object: object})
					}
					for _, to := range conversion.Versions() {
						if _, _, err := conversion.JSON(object, to, conversion.Options{}); err != nil {
							t.Errorf("to %s: %v", to, err)
						}
					}
				})
			}
		}
	}
}

func mustBeLegal(t *testing.T, r validation.Request) {
	t.Helper()
	verdict, err := validation.Judge(t.Context(), r)
	if err != nil || len(verdict.Errors) > 0 {
		t.Errorf("%s: %v, %v", r.Operation, verdict.Errors, err)
	}
}

func withoutStatus(t *testing.T, object []byte) []byte {
	t.Helper()
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(object, &fields); err != nil {
		t.Fatal(err)
	}
	delete(fields, "status")
	bare, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return bare
}
