package conversion

import (
	"bytes"
	"reflect"
	"testing"

	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/api/v1beta1"
	v1alpha2step "github.com/claimbridge/claimbridge/conversion/internal/v1alpha2"
	v1alpha3step "github.com/claimbridge/claimbridge/conversion/internal/v1alpha3"
	v1beta1step "github.com/claimbridge/claimbridge/conversion/internal/v1beta1"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/internal/kjson/codec"
	"github.com/claimbridge/claimbridge/test/objects"
)

// readable are a value of each type that functions are generated for, and those functions.
func readable() (all []generated) {
	for _, like := range []any{
		&v1alpha1.ResourceClaimSpec{}, &v1alpha1.ResourceClaimStatus{},
		&v1alpha2.ResourceClaimSpec{}, &v1alpha2.ResourceClaimStatus{},
		&v1alpha3.ResourceClaimSpec{}, &v1alpha3.ResourceClaimStatus{},
		&v1beta1.ResourceClaimSpec{}, &v1.ResourceClaimStatus{},
		&v1.ResourceClaimSpec{}, &v1.ResourceClaimStatus{},
		&v1.ResourceClaimSpec{}, &v1.ResourceClaimStatus{},
	} {
		all = append(all, generated{kjson.Codec{Read: codec.ReadValue, Write: codec.WriteValue}, like})
	}
	for _, like := range []any{
		&v1alpha3step.ClassicSpec{}, &v1alpha3step.ClassicAllocation{}, &v1alpha3step.ResourceHandle{},
	} {
		all = append(all, generated{v1alpha3step.Codec, like})
	}
	for _, like := range []any{
		&v1beta1step.ControlPlaneClaim{}, &v1beta1step.ControlPlaneAllocation{}, &v1beta1step.Part{},
	} {
		all = append(all, generated{v1beta1step.Codec, like})
	}
	return all
}

type generated struct {
	kjson.Codec
	like any
}

// agrees holds the generated functions against the decoder and the encoder that know nothing of them. It reports whether
// the part was clean.
func agrees(t *testing.T, part []byte, g generated) bool {
	t.Helper()
	like := g.like
	fast := reflect.New(reflect.TypeOf(like).Elem()).Interface()
	r := kjson.NewReader(part)
	if g.Read(r, fast); !r.Done() {
		return false
	}
	slow := reflect.New(reflect.TypeOf(like).Elem()).Interface()
	unknown, err := Decode(part, slow)
	if err != nil || len(unknown) > 0 {
		t.Fatalf("%T: %s is not clean: %v, unknown %v", like, part, err, unknown)
	}
	if !reflect.DeepEqual(fast, slow) {
		t.Fatalf("%T: %s is read as\n%#v, not\n%#v", like, part, fast, slow)
	}
	if got, want := kjson.Canonical(g.Encode(fast)), kjson.Canonical(kjson.Marshal(slow)); !bytes.Equal(got, want) {
		t.Fatalf("%T: %s is written as\n%s, not\n%s", like, part, got, want)
	}
	if visible := digested(fast); visible != nil {
		var w kjson.Writer
		codec.CanonicalValue(&w, visible)
		if want := kjson.Canonical(kjson.Marshal(visible)); !bytes.Equal(w.Out, want) {
			t.Fatalf("%T: %s has the canonical form\n%s, not\n%s", visible, part, w.Out, want)
		}
	}
	return true
}

// digested is the part of a value that digests are made of, if there is one.
func digested(v any) any {
	switch v := v.(type) {
	case *v1alpha1.ResourceClaimSpec, *v1alpha1.ResourceClaimStatus, *v1alpha2.ResourceClaimSpec, *v1alpha2.ResourceClaimStatus,
		*v1alpha3.ResourceClaimSpec:
		return v
	case *v1alpha3.ResourceClaimStatus:
		if v.Allocation != nil {
			return v.Allocation
		}
	}
	return nil
}

// What the API server's decoder reads and the plain encoder writes, the generated functions read and write; and they
// take all that is clean.
func TestGeneratedFunctionsAgreeWithTheDecoder(t *testing.T) {
	source := objects.New(seed(t))
	for i := range count(t) {
		for _, version := range Versions() {
			object := encode(source.Object(version, api.KindClaim))
			members, _, err := kjson.Members(object)
			if err != nil {
				t.Fatal(err)
			}
			at := 2 * indexOf(version)
			for n, name := range []string{"spec", "status"} {
				part := kjson.Get(members, name)
				if part != nil && !agrees(t, part, readable()[at+n]) {
					t.Fatalf("object %d: not read: %s", i, part)
				}
			}
		}
	}
	for path, documents := range corpus(t) {
		for _, object := range documents {
			members, _, err := kjson.Members(object)
			if err != nil {
				t.Fatal(path, err)
			}
			for _, name := range []string{"spec", "status"} {
				for _, like := range readable() {
					agrees(t, kjson.Get(members, name), like)
				}
			}
		}
	}
}

// Equality is the API server's own.
func TestComparisonsAgreeWithTheAPIServer(t *testing.T) {
	source := objects.New(seed(t))
	var handles []v1alpha2.ResourceHandle
	for range 200 {
		if a := source.V1alpha2Status().Allocation; a != nil {
			handles = append(handles, a.ResourceHandles...)
		}
	}
	for i := range handles {
		other := handles[source.IntN(len(handles))]
		if got, want := v1alpha2step.EqualHandle(handles[i], other), equality.Semantic.DeepEqual(handles[i], other); got != want {
			t.Errorf("%v: %+v and %+v", got, handles[i], other)
		}
		again := *handles[i].DeepCopy()
		if !v1alpha2step.EqualHandle(handles[i], again) {
			t.Errorf("%+v is not itself", again)
		}
	}
}

// FuzzRead holds the generated functions against the API server's decoder on anything: what they take is clean and
// read the same; all else is not theirs.
func FuzzRead(f *testing.F) {
	for _, part := range []string{
		`{"resourceClassName":"c","parametersRef":{"apiGroup":"g","kind":"k","name":"\u00e9\ud83d\ude00\ud800"},"allocationMode":null}`,
		`{"driverName":"d","allocation":{"resourceHandles":[{"data":"{\"a\":1}"},null],"availableOnNodes":{"nodeSelectorTerms":[{"matchFields":[{"key":"k","operator":"In","values":["v",null]}]}]}},"reservedFor":[]}`,
		`{"allocation":{"resourceHandles":[{"structuredData":{"vendorClassParameters": {"a":1,"a":[1e3]} ,"results":[{"vendorRequestParameters":null,"namedResources":{"name":"n"}}]}}]}}`,
		`{"devices":{"requests":[{"name":"a","count":12345678901234567,"adminAccess":true,"selectors":[{"cel":{"expression":"x"}}]}],"constraints":[{"matchAttribute":"a/b"}],"config":[{"opaque":{"driver":"d","parameters":{}}}]}}`,
		`{"devices":null,"controller":"a","controller":"b"}`, `{"Controller":"a"}`, `{"controller":"` + "\xff" + `"}`, `{"count":1.0}`, `{ }`, `null`, `{}x`,
	} {
		f.Add([]byte(part))
	}
	f.Fuzz(func(t *testing.T, part []byte) {
		for _, like := range readable() {
			agrees(t, part, like)
		}
	})
}
