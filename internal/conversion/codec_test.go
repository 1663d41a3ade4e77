package conversion

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	resourcev1 "k8s.io/api/resource/v1"
	resourcev1beta1 "k8s.io/api/resource/v1beta1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestDecode checks the errors of Decode of package objectjson. TestNonStrictPartsAreDecodedAsByAPIServers compares its
// results with kube-apiserver's decoder.
func TestDecode(t *testing.T) {
	for in, want := range map[string]string{
		`{"devices":{"requests":[{"name":"a","count":1.5}]}}`: "devices.requests[0].count: must be a " +
			"64-bit integer",
		`{"devices":{"requests":[{"name":"a","count":9223372036854775808}]}}`: "devices.requests[0].count: must be a " +
			"64-bit integer",
		`{"devices":"x"}`:             "devices: cannot be a string, must be an object",
		`{"controller":12}`:           "controller: cannot be a number, must be a string",
		`{"devices":{"requests":{}}}`: "devices.requests: cannot be an object, must be an array",
		`{"devices":{"requests":[`:    "is not JSON at byte 24",
		`[]`:                          "cannot be an array, must be an object",
	} {
		_, err := objectjson.Decode([]byte(in), &v1alpha3.ResourceClaimSpec{})
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", in, err, want)
		}
	}
	for in, want := range map[string]string{
		`{"devices":{"requests":[{"nope":1}]}}`: "devices.requests[0].nope",
		`{"Controller":"c"}`:                    "Controller",
		`{"controller":"a","controller":"b"}`:   "controller",
	} {
		unknown, err := objectjson.Decode([]byte(in), &v1alpha3.ResourceClaimSpec{})
		if err != nil || !slices.Equal(unknown, []string{want}) {
			t.Errorf("%s: %v, unknown %q", in, err, unknown)
		}
	}
}

// Errors name the object, the versions and the field, and never contain a value.
func TestErrors(t *testing.T) {
	const secret = "hunter2"
	tests := map[string]struct {
		in, to, want string
		is           error
	}{
		"not JSON": {
			`{"apiVersion`,
			"v1alpha3",
			"object (no name): to v1alpha3: is not JSON at byte 12",
			nil,
		},
		"another kind": {
			`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"n"}}`,
			"v1alpha3",
			`Pod n/p: v1 to v1alpha3: unknown kind "Pod": must be ResourceClaim or ResourceClaimTemplate`,
			ErrKind,
		},
		"a newer version": {
			`{"apiVersion":"resource.k8s.io/v2","kind":"ResourceClaim"}`,
			"v1alpha3",
			`ResourceClaim (no name): v2 to v1alpha3: unknown version "v2": must be one of ` + strings.Join(Versions(),
				", "),
			ErrVersion,
		},
		"a wanted version": {
			`{"apiVersion":"resource.k8s.io/v1alpha1","kind":"ResourceClaim"}`,
			"v9",
			`ResourceClaim (no name): v1alpha1 to v9: unknown version "v9": must be one of ` + strings.Join(Versions(),
				", "),
			ErrVersion,
		},
		"no version": {
			`{"kind":"ResourceClaim"}`,
			"v1alpha3",
			`ResourceClaim (no name): to v1alpha3: unknown version "": must be one of ` +
				strings.Join(Versions(), ", "),
			ErrVersion,
		},
		"a field": {
			`{"apiVersion":"g/v1alpha2","kind":"ResourceClaim","metadata":{"generateName":"a-"},` +
				`"status":{"allocation":{"resourceHandles":[{"data":{"k":"` + secret + `"}}]}}}`,
			"v1alpha1",
			"ResourceClaim a-*: v1alpha2 to v1alpha1: status.allocation.resourceHandles[0].data: cannot be an " +
				"object, must be a string",
			nil,
		},
		"a template's field": {
			`{"apiVersion":"g/v1alpha2","kind":"ResourceClaimTemplate","metadata":{"name":"t"},` +
				`"spec":{"spec":{"resourceClassName":7}}}`,
			"v1alpha1",
			"ResourceClaimTemplate t: v1alpha2 to v1alpha1: spec.spec.resourceClassName: cannot be a number, must be " +
				"a string",
			nil,
		},
		"a list for metadata": {
			`{"apiVersion":"g/v1alpha2","kind":"ResourceClaim","metadata":[]}`,
			"v1alpha1",
			"ResourceClaim (no name): v1alpha2 to v1alpha1: metadata: must be an object",
			nil,
		},
		"an annotation": {
			`{"apiVersion":"g/v1alpha2","kind":"ResourceClaim","metadata":{"annotations":{"a":1}}}`,
			"v1alpha1",
			"ResourceClaim (no name): v1alpha2 to v1alpha1: metadata.annotations[a]: must be a string",
			nil,
		},
		"unknown fields": {
			`{"apiVersion":"g/v1alpha2","kind":"ResourceClaim","metadata":{"name":"a"},"more":1,"spec":{"x":"` +
				secret + `","y":2}}`,
			"v1alpha1",
			"ResourceClaim a: v1alpha2 to v1alpha1: unknown or duplicate field more, spec.x, spec.y",
			nil,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, _, err := ConvertJSON([]byte(test.in), test.to, Options{Strict: true})
			if err == nil || err.Error() != test.want {
				t.Fatalf("\n got %v\nwant %s", err, test.want)
			}
			var rich *Error
			if !errors.As(err, &rich) {
				t.Errorf("%T is no *Error", err)
			}
			if test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("%v is not %v", err, test.is)
			}
			if strings.Contains(err.Error(), secret) {
				t.Error("the error holds a value")
			}
		})
	}
}

func TestTypedConversionSharesNothing(t *testing.T) {
	in := decodeTyped(t,
		claimOf("v1alpha2",
			`{"spec":{"resourceClassName":"c"},"status":{"driverName":"d.example.com",`+
				`"allocation":{"resourceHandles":[{"driverName":"d.example.com",`+
				`"structuredData":{"nodeName":"n","vendorClassParameters":{"a":1},`+
				`"results":[{"namedResources":{"name":"gpu-0"}}]}}]}}}`)).(*v1alpha2.ResourceClaim)
	before := in.DeepCopy()
	var out v1alpha3.ResourceClaim
	out.Spec.Controller = "gone"
	must.Do(t, Convert(in, &out))
	if out.APIVersion != "resource.k8s.io/v1alpha3" || out.Kind != "ResourceClaim" || out.Spec.Controller != "" {
		t.Errorf("%+v", out)
	}
	for _, c := range out.Status.Allocation.Devices.Config {
		copy(c.Opaque.Parameters.Raw, "XXXX")
	}
	if diff := cmp.Diff(before, in); diff != "" {
		t.Errorf("the input was touched (-before +after):\n%s", diff)
	}
	if err := Convert(in, &v1alpha3.ResourceClaimTemplate{}); !errors.Is(err, ErrKind) {
		t.Errorf("a claim into a template: %v", err)
	}
}

// The types of k8s.io/api have the same names as claimbridge's. The error must distinguish them on both sides.
func TestConvertNamesForeignTypesByImportPath(t *testing.T) {
	const ours = "github.com/claimbridge/claimbridge/api/v1.ResourceClaim"
	const upstream = "k8s.io/api/resource/v1beta1.ResourceClaim"
	for name, test := range map[string]struct {
		in, out runtime.Object
		want    []string
	}{
		"from upstream": {&resourcev1beta1.ResourceClaim{}, &v1.ResourceClaim{}, []string{upstream + " into " + ours}},
		"to upstream":   {&v1.ResourceClaim{}, &resourcev1beta1.ResourceClaim{}, []string{ours + " into " + upstream}},
		"both upstream": {
			&resourcev1beta1.ResourceClaim{},
			&resourcev1.ResourceClaim{},
			[]string{upstream + " into k8s.io/api/resource/v1."},
		},
		"nothing": {nil, &v1.ResourceClaim{}, []string{"<nil> into " + ours}},
		"another kind": {
			&v1.ResourceClaim{},
			&v1.ResourceClaimTemplate{},
			[]string{ours + " into " + ours + "Template"},
		},
		"not a type yet": {
			&unstructured.Unstructured{},
			&v1.ResourceClaim{},
			[]string{"unstructured.Unstructured into " + ours},
		},
	} {
		err := Convert(test.in, test.out)
		if !errors.Is(err, ErrKind) {
			t.Errorf("%s: %v is not ErrKind", name, err)
			continue
		}
		for _, want := range append(test.want, "packages below github.com/claimbridge/claimbridge/api",
			"conversion.ConvertJSON") {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: the error is %q, want %q in it", name, err, want)
			}
		}
		if strings.Contains(err.Error(), "unknown version") {
			t.Errorf("%s: %q names versions, but there are none", name, err)
		}
	}
}
