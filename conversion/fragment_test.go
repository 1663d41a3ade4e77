package conversion

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/objects"
)

// Fragments are objects without a name, as server-side apply converts them. Nothing is invented for them.
func TestFragmentsComeOutAsFragments(t *testing.T) {
	tests := map[string]struct{ in, to, want string }{
		"type alone": {
			`{"apiVersion":"resource.k8s.io/v1alpha1","kind":"ResourceClaim"}`, "v1alpha3",
			`{"apiVersion":"resource.k8s.io/v1alpha3","metadata":{},"kind":"ResourceClaim"}`,
		},
		"metadata without members": {
			`{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{}}`, "v1alpha1",
			`{"apiVersion":"resource.k8s.io/v1alpha1","kind":"ResourceClaim","metadata":{}}`,
		},
		"a name and nothing else": {
			`{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{"name":"a"}}`, "v1alpha1",
			`{"apiVersion":"resource.k8s.io/v1alpha1","kind":"ResourceClaim","metadata":{"name":"a"}}`,
		},
		"an empty spec going down": {
			`{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{},"spec":{}}`, "v1alpha1",
			`{"apiVersion":"resource.k8s.io/v1alpha1","kind":"ResourceClaim","metadata":{},"spec":{}}`,
		},
		"an empty spec going up": {
			`{"apiVersion":"resource.k8s.io/v1alpha1","kind":"ResourceClaim","metadata":{},"spec":{}}`, "v1alpha3",
			`{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{},"spec":{}}`,
		},
		"an empty status": {
			`{"apiVersion":"resource.k8s.io/v1alpha1","kind":"ResourceClaim","metadata":{},"status":{}}`, "v1alpha3",
			`{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{},"status":{}}`,
		},
		"a class gets no mode and no count": {
			`{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"labels":{"a":"b"}},"spec":{"resourceClassName":"c"}}`, "v1alpha3",
			`{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{"labels":{"a":"b"}},"spec":{"devices":{"requests":[{"name":"claim","deviceClassName":"c"}]}}}`,
		},
		"a request gets no mode": {
			`{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{},"spec":{"devices":{"requests":[{"name":"claim","deviceClassName":"c"}]}}}`, "v1alpha1",
			`{"apiVersion":"resource.k8s.io/v1alpha1","kind":"ResourceClaim","metadata":{},"spec":{"resourceClassName":"c"}}`,
		},
		"an allocation gets no driver and is not made shareable": {
			`{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{},"status":{"allocation":{}}}`, "v1alpha2",
			`{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{},"status":{"allocation":{}}}`,
		},
		"reservations alone": {
			`{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{},"status":{"reservedFor":[{"resource":"pods","name":"p","uid":"1"}]}}`, "v1alpha1",
			`{"apiVersion":"resource.k8s.io/v1alpha1","kind":"ResourceClaim","metadata":{},"status":{"reservedFor":[{"resource":"pods","name":"p","uid":"1"}]}}`,
		},
		"a template of nothing": {
			`{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaimTemplate","metadata":{},"spec":{}}`, "v1alpha1",
			`{"apiVersion":"resource.k8s.io/v1alpha1","kind":"ResourceClaimTemplate","metadata":{},"spec":{}}`,
		},
		"a template's metadata": {
			`{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaimTemplate","metadata":{},"spec":{"metadata":{"labels":{}},"spec":{}}}`, "v1alpha1",
			`{"apiVersion":"resource.k8s.io/v1alpha1","kind":"ResourceClaimTemplate","metadata":{},"spec":{"metadata":{"labels":{}},"spec":{}}}`,
		},
		"null spec and status are absent": {
			`{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":null,"spec":null,"status":null}`, "v1alpha1",
			`{"apiVersion":"resource.k8s.io/v1alpha1","kind":"ResourceClaim","metadata":{}}`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, _, err := JSON([]byte(test.in), test.to, Options{Strict: true})
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != test.want {
				t.Errorf("\n got %s\nwant %s", got, test.want)
			}
		})
	}
}

// A random fragment comes back with nothing that it did not have.
func TestFragmentsGainNothing(t *testing.T) {
	s := objects.New(seed(t))
	for i := range count(t) {
		n := len(versions)
		from, to := versions[i%n], versions[(i+1+i/n%(n-1))%n]
		var tree map[string]any
		if err := json.Unmarshal(encode(s.Object(from, objects.Kinds[i/(n*(n-1))%2])), &tree); err != nil {
			t.Fatal(err)
		}
		meta := tree["metadata"].(map[string]any)
		delete(meta, "name")
		thin(s, tree["spec"])
		thin(s, tree["status"])
		fragment, err := json.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		there, _, err := JSON(fragment, to, Options{})
		if err != nil {
			t.Fatalf("%v\n%s", err, clip(fragment))
		}
		back, _, err := JSON(there, from, Options{})
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, clip(fragment), clip(there))
		}
		had, has := map[string]bool{}, map[string]bool{}
		paths(fragment, had)
		paths(back, has)
		for path := range has {
			if !had[path] && !strings.HasSuffix(path, "claimbridgeLeftover") {
				t.Fatalf("fragment %d gained %s on its way from %s to %s:\n%s\n%s\n%s", i, path, from, to, clip(fragment), clip(there), clip(back))
			}
		}
	}
}

// thin removes members at random, never elements of lists: lists are atomic.
func thin(s objects.Source, value any) {
	object, ok := value.(map[string]any)
	if !ok {
		return
	}
	for name, member := range object {
		if s.IntN(4) == 0 {
			delete(object, name)
			continue
		}
		thin(s, member)
	}
}
