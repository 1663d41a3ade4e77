package conversion

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// An object of the target version is decoded as strictly as others.
func TestStrictAppliesToTheSameVersion(t *testing.T) {
	const claim = `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"a"},`
	const template = `{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaimTemplate","metadata":{"name":"a"},`
	for name, test := range map[string]struct {
		in, field string
		unknown   []string
	}{
		"an unknown field": {
			in:      claim + `"spec":{"resourceClassName":"c","class":"d"}}`,
			unknown: []string{"spec.class"},
		},
		"an unknown field next to the spec": {
			in:      claim + `"data":{},"spec":{"resourceClassName":"c"}}`,
			unknown: []string{"data"},
		},
		"a duplicate field": {
			in:      claim + `"spec":{"resourceClassName":"c","resourceClassName":"d"}}`,
			unknown: []string{"spec.resourceClassName"},
		},
		"an unknown field of a template": {
			in:      template + `"spec":{"spec":{"resourceClassName":"c"}}}`,
			unknown: []string{"spec.spec.resourceClassName"},
		},
		"a value of the wrong type": {
			in:    claim + `"spec":{"resourceClassName":5}}`,
			field: "spec.resourceClassName",
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := must.Get(ReadHeader([]byte(test.in)))(t)
			out, report, err := ConvertJSON([]byte(test.in), h.Version, Options{Strict: true})
			var unknown *UnknownFieldError
			errors.As(err, &unknown)
			rich, ok := errors.AsType[*Error](err)
			if !ok || out != nil {
				t.Fatalf("%s, %v", out, err)
			}
			if unknown == nil {
				unknown = &UnknownFieldError{}
			}
			if diff := cmp.Diff(test.unknown, unknown.Fields); diff != "" || rich.Field != test.field ||
				rich.Name != "a" {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
			if diff := cmp.Diff(test.unknown, report.Unknown); diff != "" {
				t.Errorf("report (-want +got):\n%s", diff)
			}
			const prefix = "prefix"
			appended, err := appendConverted(prefix, test.in, h.Version, Options{Strict: true})
			if err == nil || appended != prefix {
				t.Errorf("AppendConverted: %q, %v", appended, err)
			}
			// Without Strict nothing is dropped, so nothing is reported.
			out, report, err = ConvertJSON([]byte(test.in), h.Version, Options{})
			if err != nil || string(out) != test.in || report.Unknown != nil {
				t.Errorf("not strict: %s, %+v, %v", out, report, err)
			}
		})
	}
}

// appendConverted calls AppendConverted with strings.
func appendConverted(prefix, object, version string, o Options) (string, error) {
	out, _, err := AppendConverted([]byte(prefix), []byte(object), version, o)
	return string(out), err
}
