package conversion

import (
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/test/objects"
)

// What somebody wrote into a file comes out with nothing that they did not write, and comes back as it was.
func TestDefaultsAreLeftToTheAPIServer(t *testing.T) {
	claim := func(version, spec string) string {
		return `{"apiVersion":"resource.k8s.io/` + version + `","kind":"ResourceClaim","metadata":{"name":"a"},"spec":` + spec + `}`
	}
	tests := map[string]struct{ from, was, to, is string }{
		"a class becomes a request without a mode and a count": {
			"v1alpha2", `{"resourceClassName":"c"}`,
			"v1", `{"devices":{"requests":[{"name":"claim","exactly":{"deviceClassName":"c"}}]}}`,
		},
		"a class stays without a mode": {
			"v1alpha2", `{"resourceClassName":"c"}`, "v1alpha1", `{"resourceClassName":"c"}`,
		},
		"a mode that is the default stays where there is one": {
			"v1alpha1", `{"resourceClassName":"c","allocationMode":"WaitForFirstConsumer"}`,
			"v1alpha2", `{"resourceClassName":"c","allocationMode":"WaitForFirstConsumer"}`,
		},
		"a request moves into exactly as it is": {
			"v1beta1", `{"devices":{"requests":[{"name":"gpu","deviceClassName":"c"}]}}`,
			"v1", `{"devices":{"requests":[{"name":"gpu","exactly":{"deviceClassName":"c"}}]}}`,
		},
		"a mode without a count gets none": {
			"v1alpha3", `{"devices":{"requests":[{"name":"gpu","deviceClassName":"c","allocationMode":"ExactCount"}]}}`,
			"v1beta2", `{"devices":{"requests":[{"name":"gpu","exactly":{"deviceClassName":"c","allocationMode":"ExactCount"}}]}}`,
		},
		"a count without a mode gets none": {
			"v1", `{"devices":{"requests":[{"name":"gpu","exactly":{"deviceClassName":"c","count":2}}]}}`,
			"v1alpha3", `{"devices":{"requests":[{"name":"gpu","deviceClassName":"c","count":2}]}}`,
		},
		"defaults that are spelled out stay": {
			"v1beta1", `{"devices":{"requests":[{"name":"gpu","deviceClassName":"c","allocationMode":"ExactCount","count":1}]}}`,
			"v1", `{"devices":{"requests":[{"name":"gpu","exactly":{"deviceClassName":"c","allocationMode":"ExactCount","count":1}}]}}`,
		},
		"alternatives and tolerations": {
			"v1", `{"devices":{"requests":[{"name":"gpu","firstAvailable":[{"name":"big","deviceClassName":"c","tolerations":[{"key":"k"}]},{"name":"small","deviceClassName":"d","count":2}]}]}}`,
			"v1alpha3", `{"devices":{"requests":[{"name":"gpu","firstAvailable":[{"name":"big","deviceClassName":"c","tolerations":[{"key":"k"}]},{"name":"small","deviceClassName":"d","count":2}]}]}}`,
		},
	}
	o := Options{Strict: true, AnnotationsOnly: true, OmitDefaults: true}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			was, is := claim(test.from, test.was), claim(test.to, test.is)
			there, _, err := JSON([]byte(was), test.to, o)
			if err != nil {
				t.Fatal(err)
			}
			if string(there) != is {
				t.Errorf("\n got %s\nwant %s", there, is)
			}
			back, _, err := JSON(there, test.from, o)
			if err != nil {
				t.Fatal(err)
			}
			if string(back) != was {
				t.Errorf("back\n got %s\nwant %s", back, was)
			}
		})
	}
}

// What waits in an annotation is what was written, too.
func TestLeftoversHoldNoDefaults(t *testing.T) {
	const was = `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"devices":{"requests":[` +
		`{"name":"one","exactly":{"deviceClassName":"c"}},{"name":"two","exactly":{"deviceClassName":"d","count":1,"capacity":{"requests":{"m":"1Gi"}}}},` +
		`{"name":"three","firstAvailable":[{"name":"big","deviceClassName":"c"}]}]}}}`
	o := Options{Strict: true, AnnotationsOnly: true, OmitDefaults: true}
	for _, version := range Versions() {
		there, _, err := JSON([]byte(was), version, o)
		if err != nil {
			t.Fatal(err)
		}
		back, _, err := JSON(there, "v1", o)
		if err != nil {
			t.Fatal(err)
		}
		if string(back) != was {
			t.Errorf("through %s\n got %s\nwant %s\n via %s", version, back, was, there)
		}
		// An API server completes what it is given, and the leftover still counts.
		stored, report, err := JSON(completed(t, there), "v1", Options{Strict: true})
		if err != nil || len(report.Ignored)+len(report.Stale) > 0 {
			t.Fatalf("%v, ignored %q, stale %q", err, report.Ignored, report.Stale)
		}
		if want := completed(t, []byte(was)); !Equal(want, completed(t, stored)) {
			t.Errorf("through %s and an API server\n got %s\nwant %s", version, stored, want)
		}
	}
}

// completed is an object with the defaults of its version, as an API server stores it.
func completed(t *testing.T, object []byte) []byte {
	t.Helper()
	h, err := ReadHeader(object)
	if err != nil {
		t.Fatal(err)
	}
	into := api.New(h.Version, h.Kind)
	if _, err := Decode(object, into); err != nil {
		t.Fatal(err)
	}
	return encode(normal(into))
}

// A random object gains nothing on its way and back, and an API server makes of what comes out of it what it makes of the
// object itself.
func TestTextsGainNothing(t *testing.T) {
	s := objects.New(seed(t))
	o := Options{Strict: true, AnnotationsOnly: true, OmitDefaults: true}
	versions, tried := Versions(), 0
	for i := range count(t) {
		from, to := versions[s.IntN(len(versions))], versions[s.IntN(len(versions))]
		object := encode(s.Object(versions[i%len(versions)], objects.Kinds[i/6%2]))
		convert := func(from []byte, version string, o Options) (_ []byte, whole bool) {
			out, report, err := JSON(from, version, o)
			if err != nil {
				t.Fatalf("%v\n%s", err, clip(from))
			}
			return out, len(report.Lost) == 0 && report.Incomplete == ""
		}
		was, whole := convert(object, from, o)
		there, wholeThere := convert(was, to, o)
		if !whole || !wholeThere {
			continue // tested by themselves
		}
		tried++
		back, _ := convert(there, from, o)
		had, has := map[string]bool{}, map[string]bool{}
		paths(was, had)
		paths(back, has)
		for path := range has {
			if !had[path] {
				t.Fatalf("object %d gained %s on its way from %s to %s:\n%s\n%s\n%s", i, path, from, to, clip(was), clip(there), clip(back))
			}
		}
		want, _ := convert(was, Stored(), Options{})
		if i%2 == 0 {
			there = completed(t, there)
		}
		got, _ := convert(there, Stored(), Options{})
		if !Equal(completed(t, want), completed(t, got)) {
			t.Fatalf("object %d from %s to %s becomes another one:\n got %s\nwant %s\n via %s", i, from, to, clip(got), clip(want), clip(there))
		}
	}
	if tried < count(t)/2 {
		t.Errorf("only %d objects of %d were tried", tried, count(t))
	}
}
