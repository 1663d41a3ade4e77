package convert

import (
	"io"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// What an edit may leave in the author's words is the same claim, and no other: nothing else is asked of a text that keeps them.
func TestASpellingIsOfTheSameClaim(t *testing.T) {
	raw := []byte(`{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"devices":{"constraints":[],` +
		`"requests":[{"name":"r","deviceClassName":"c","count":2,"capacity":{"requests":{"memory":"1024Mi"}}}]}}}`)
	converted, _ := must.Get2(conversion.JSON(raw, "v1", conversion.Options{Strict: true, AnnotationsOnly: true, OmitDefaults: true}))(t)
	s := spellingOfClaim(raw, converted)
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
		"an older version":    strings.Replace(inOtherWords, "resource.k8s.io/v1", "resource.k8s.io/v1beta2", 1),
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

// The same of a list: each item is the same claim, or what it was to become, and so is the rest of the list.
func TestASpellingOfAListIsOfTheSameItems(t *testing.T) {
	claim := `{"apiVersion":"resource.k8s.io/VERSION","kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"devices":{"requests":[{"name":"r",REQUEST}]}}}`
	list := func(metadata, version, request, pod string) string {
		return `{"apiVersion":"v1","kind":"List","metadata":` + metadata + `,"items":[` + strings.NewReplacer("VERSION", version, "REQUEST", request).Replace(claim) +
			`,{"apiVersion":"v1","kind":"Pod","metadata":{"name":"` + pod + `"}}]}`
	}
	request := func(amount string) string {
		return `"deviceClassName":"c","capacity":{"requests":{"memory":"` + amount + `"}}`
	}
	exactly := func(amount string) string { return `"exactly":{` + request(amount) + `}` }
	raw, converted := list("{}", "v1beta1", request("1024Mi"), "p"), list("{}", "v1", exactly("1Gi"), "p")
	p := (&converter{to: "v1", Options: Options{Groups: claims.Groups{api.Group}}, output: yamlWriter(t)}).part()
	s := p.spellingOf([]byte(raw), []byte(converted))
	if s == nil {
		t.Fatal("1024Mi is no spelling of 1Gi")
	}
	for what, test := range map[string]struct {
		list string
		want bool
	}{
		"as it is wanted":   {converted, true},
		"in other words":    {list("{}", "v1", exactly("1024Mi"), "p"), true},
		"another amount":    {list("{}", "v1", exactly("1025Mi"), "p"), false},
		"another item":      {list("{}", "v1", exactly("1024Mi"), "q"), false},
		"another version":   {list("{}", "v1beta2", exactly("1024Mi"), "p"), false},
		"a part of another": {list(`{"a":"b"}`, "v1", exactly("1024Mi"), "p"), false},
		"no list":           {"{}", false},
		"fewer items":       {`{"apiVersion":"v1","kind":"List","metadata":{},"items":[]}`, false},
	} {
		if s.Same([]byte(test.list)) != test.want {
			t.Errorf("%s is taken for the same: %t", what, !test.want)
		}
	}
	if p.spellingOf([]byte(list("{}", "v1beta1", request("1Gi"), "p")), []byte(converted)) != nil {
		t.Error("there are no other words, and there is a spelling")
	}
}

func yamlWriter(t *testing.T) *manifest.Writer {
	t.Helper()
	return manifest.NewWriter(io.Discard, "yaml")
}
