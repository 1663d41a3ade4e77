package convert

import (
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/conversion"
)

// What an edit may leave in the author's words is the same claim, and no other: nothing else is asked of a text that keeps them.
func TestASpellingIsOfTheSameClaim(t *testing.T) {
	raw := []byte(`{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"devices":{"constraints":[],` +
		`"requests":[{"name":"r","deviceClassName":"c","count":2,"capacity":{"requests":{"memory":"1024Mi"}}}]}}}`)
	converted, _, err := conversion.JSON(raw, "v1", conversion.Options{Strict: true, AnnotationsOnly: true, OmitDefaults: true})
	if err != nil {
		t.Fatal(err)
	}
	s := spellingOf(raw, converted)
	if s == nil {
		t.Fatal("1024Mi is no spelling of 1Gi")
	}
	inOtherWords := strings.NewReplacer(`"1Gi"`, `"1024Mi"`, `"requests":[{"name"`, `"constraints":[],"requests":[{"name"`).Replace(string(converted))
	if !strings.Contains(inOtherWords, "1024Mi") || !strings.Contains(inOtherWords, "constraints") || !s.Same([]byte(inOtherWords)) {
		t.Errorf("not taken for the same: %s", inOtherWords)
	}
	for what, other := range map[string]string{
		"another class":       strings.Replace(inOtherWords, `"c"`, `"d"`, 1),
		"another amount":      strings.Replace(inOtherWords, "1024Mi", "1025Mi", 1),
		"another count":       strings.Replace(inOtherWords, `"count":2`, `"count":3`, 1),
		"no count":            strings.Replace(inOtherWords, `"count":2,`, ``, 1),
		"another name":        strings.Replace(inOtherWords, `"name":"a"`, `"name":"b"`, 1),
		"another version":     strings.Replace(inOtherWords, "resource.k8s.io/v1", "resource.k8s.io/v2", 1),
		"a field of no claim": strings.Replace(inOtherWords, `"spec":{`, `"spec":{"x":1,`, 1),
		"no claim":            `{}`,
		"no object":           `[]`,
	} {
		if other == inOtherWords {
			t.Fatalf("%s: nothing is other in %s", what, other)
		}
		if s.Same([]byte(other)) {
			t.Errorf("%s is taken for the same: %s", what, other)
		}
	}
}
