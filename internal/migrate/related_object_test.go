package migrate

import (
	"cmp"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// fixedTo returns the converted object, and how many of its values were fixed.
func fixedTo(object, to string) (string, int) {
	c := New(Options{To: release.Target{Version: to}})
	o := &relatedObject{Converter: c, object: []byte(object), root: parseNode([]byte(object))}
	o.apiVersion, o.kind = yamldoc.TypeOf(o.object)
	o.apiVersion = cmp.Or(o.apiVersion, "v1")
	o.document = &yamldoc.Document{}
	o.convertPods()
	o.convertVersion()
	return string(ApplyEdits(o.object, outermost(o.edits))), len(o.edits)
}

func TestObjectsThatAreChangedTogetherWithClaims(t *testing.T) {
	for name, test := range map[string]struct {
		object, to, want string // empty for no change
	}{
		"a pod, to a newer version": {
			`{"spec":{"resourceClaims":[{"name":"a","source":{"resourceClaimName":"x"}}]}}`,
			"v1",
			`{"spec":{"resourceClaims":[{"name":"a","resourceClaimName":"x"}]}}`,
		},
		"a pod, to an older version": {
			`{"spec":{"resourceClaims":[{"name":"a","resourceClaimTemplateName":"x"}]}}`,
			"v1alpha2",
			`{"spec":{"resourceClaims":[{"name":"a","source":{"resourceClaimTemplateName":"x"}}]}}`,
		},
		"both names, to an older version": {
			`{"resourceClaims":[{"resourceClaimName":"x","name":"a","resourceClaimTemplateName":"y"}]}`,
			"v1alpha1",
			`{"resourceClaims":[{"source":{"resourceClaimName":"x","resourceClaimTemplateName":"y"},"name":"a"}]}`,
		},
		"several, with space and numbers between": {
			`{ "z" : 1.0e3, "resourceClaims" : [ {"source":{"resourceClaimName":"x"}} , 7, ` +
				`{"source":{"resourceClaimName":"y"}} ] , "a" : null }`,
			"v1",
			`{ "z" : 1.0e3, "resourceClaims" : [ {"resourceClaimName":"x"} , 7, {"resourceClaimName":"y"} ] , "a" : ` +
				`null }`,
		},
		"pods in pods": {
			`{"resourceClaims":[{"name":"a","source":{"resourceClaimName":"x"}}],` +
				`"b":{"resourceClaims":[{"source":{"resourceClaimName":"y"}}]}}`,
			"v1",
			`{"resourceClaims":[{"name":"a","resourceClaimName":"x"}],` +
				`"b":{"resourceClaims":[{"resourceClaimName":"y"}]}}`,
		},
		"a pod in a custom kind": {
			`{"apiVersion":"ray.io/v1","kind":"RayCluster","spec":{"template":{"spec":{"resourceClaims":[{"name":"a",` +
				`"source":{"resourceClaimName":"x"}}],"containers":[{"name":"c"}]}}}}`,
			"v1",
			`{"apiVersion":"ray.io/v1","kind":"RayCluster","spec":{"template":{"spec":{"resourceClaims":[{"name":"a",` +
				`"resourceClaimName":"x"}],"containers":[{"name":"c"}]}}}}`,
		},
		"values of a chart": {
			`{"apiVersion":"helm.toolkit.fluxcd.io/v2","kind":"HelmRelease",` +
				`"spec":{"values":{"resourceClaims":[{"name":"a","source":{"resourceClaimName":"x"}}]}}}`,
			"v1",
			"",
		},
		"parameters of a driver": {
			`{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass",` +
				`"spec":{"config":[{"opaque":{"parameters":{"resourceClaims":[{"source":{` +
				`"resourceClaimName":"x"}}]}}}]}}`,
			"v1",
			"",
		},
		"already in the right place": {`{"resourceClaims":[{"name":"a","resourceClaimName":"x"}]}`, "v1", ""},
		"already in the right place, before 1.31": {
			`{"resourceClaims":[{"name":"a","source":{"resourceClaimName":"x"}}]}`,
			"v1alpha2",
			"",
		},
		"a name beside source": {
			`{"resourceClaims":[{"resourceClaimName":"z","source":{"resourceClaimName":"x"}}]}`,
			"v1",
			"",
		},
		"a source beside a name": {
			`{"resourceClaims":[{"resourceClaimName":"z","source":{"other":"x"}}]}`,
			"v1alpha2",
			"",
		},
		"an unknown member in source": {
			`{"resourceClaims":[{"source":{"resourceClaimName":"x","more":1}}]}`,
			"v1",
			"",
		},
		"a name that is not a string":    {`{"resourceClaims":[{"source":{"resourceClaimName":7}}]}`, "v1", ""},
		"a source that is not an object": {`{"resourceClaims":[{"source":"resourceClaimName"}]}`, "v1", ""},
		"a name that is duplicated": {
			`{"resourceClaims":[{"source":{"resourceClaimName":"x","resourceClaimName":"y"}}]}`,
			"v1",
			"",
		},
		"claims that are a string": {
			`{"a":["resourceClaims",[{"source":{"resourceClaimName":"x"}}]],"resourceClaims":"[]"}`,
			"v1",
			"",
		},
		"a class, to a newer version": {
			`{"apiVersion":"resource.k8s.io/v1alpha3","kind":"DeviceClass"}`,
			"v1",
			`{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass"}`,
		},
		"a class, to an older version": {
			`{"kind":"DeviceClass", "apiVersion" : "resource.k8s.io/v1" }`,
			"v1beta1",
			`{"kind":"DeviceClass", "apiVersion" : "resource.k8s.io/v1beta1" }`,
		},
		"a class that has the version": {`{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass"}`, "v1", ""},
		"a class with a duplicate apiVersion": {
			`{"apiVersion":"resource.k8s.io/v1beta1","apiVersion":"resource.k8s.io/v1beta1","kind":"DeviceClass"}`,
			"v1",
			"",
		},
		"a class with suitableNodes": {
			`{"apiVersion":"resource.k8s.io/v1alpha3","kind":"DeviceClass","spec":{"suitableNodes":{}}}`,
			"v1",
			"",
		},
		"a class with extendedResourceName": {
			`{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","spec":{"extendedResourceName":"a"}}`,
			"v1alpha3",
			"",
		},
		"a DeviceClass, to a version without it": {
			`{"apiVersion":"resource.k8s.io/v1alpha3","kind":"DeviceClass"}`,
			"v1alpha2",
			"",
		},
		"a class of another group": {
			`{"apiVersion":"claims.example.com/v1beta1","kind":"DeviceClass"}`,
			"v1",
			"",
		},
		"a class of an unknown version": {`{"apiVersion":"resource.k8s.io/v2","kind":"DeviceClass"}`, "v1", ""},
		"a class with a template of pods": {
			`{"apiVersion":"resource.k8s.io/v1beta1","kind":"DeviceClass",` +
				`"spec":{"template":{"spec":{"resourceClaims":[{"source":{"resourceClaimName":"x"}}]}}}}`,
			"v1",
			`{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass",` +
				`"spec":{"template":{"spec":{"resourceClaims":[{"resourceClaimName":"x"}]}}}}`,
		},
		"a slice with the same fields in both versions": {
			`{"apiVersion":"resource.k8s.io/v1beta2","kind":"ResourceSlice"}`,
			"v1",
			`{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice"}`,
		},
		"a slice with other fields": {
			`{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceSlice"}`,
			"v1",
			"",
		},
		"a ResourceClass, to a version without it": {
			`{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClass"}`,
			"v1",
			"",
		},
	} {
		got, done := fixedTo(test.object, test.to)
		if want := test.want; want == "" {
			if got != test.object || done != 0 {
				t.Errorf("%s: changed to %s", name, got)
			}
		} else if got != want || done == 0 {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// FuzzFixes checks that a second conversion changes nothing, and that an object is unchanged if nothing is fixed.
func FuzzFixes(f *testing.F) {
	f.Add(`{"spec":{"resourceClaims":[{"name":"a","source":{"resourceClaimName":"x"}},{"name":"b"}]},"a":1}`)
	f.Add(`{"resourceClaims":[{"source":{"resourceClaimTemplateName":"x"},"name":"a"},[],{}]}`)
	f.Add(`{"apiVersion":"resource.k8s.io/v1beta1","kind":"DeviceClass"}`)
	f.Add(`{"a":["resourceClaims"],"resourceClaims":{"resourceClaims":[null]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		d, err := yamldoc.NewReader(strings.NewReader(text), "f").Next()
		if err != nil {
			return
		}
		raw, err := d.Object(true)
		if err != nil {
			return
		}
		for _, to := range []string{"v1", "v1alpha2"} {
			once, done := fixedTo(string(raw), to)
			if again, more := fixedTo(once, to); again != once || more != 0 {
				t.Fatalf("to %s twice: %s, then %s", to, once, again)
			}
			if done == 0 && once != string(raw) {
				t.Fatalf("to %s nothing was fixed, and it changed: %s", to, once)
			}
		}
	})
}
