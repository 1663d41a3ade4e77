package conversion

import (
	"bytes"
	stdjson "encoding/json"
	"reflect"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/equality"
	apijson "sigs.k8s.io/json"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/internal/conversion/hub"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// readable has a pointer to each type that is decoded: spec and status of each version, whole objects, and entries of
// claimbridge.
var readable = append(specsAndStatuses(),
	&v1.ResourceClaim{}, &v1alpha2.ResourceClaimTemplate{},
	&hub.ClassicSpecEntry{}, &hub.ClassicAllocationEntry{}, &hub.ResourceHandleEntry{},
	&hub.ControlPlaneClaimEntry{}, &hub.ControlPlaneAllocationEntry{}, &hub.ChunkEntry{},
)

func specsAndStatuses() (all []any) {
	for _, version := range Versions() {
		claim := reflect.ValueOf(api.New(version, api.KindClaim)).Elem()
		all = append(all, claim.FieldByName("Spec").Addr().Interface(), claim.FieldByName("Status").Addr().Interface())
	}
	return all
}

func zeroOf(like any) any { return reflect.New(reflect.TypeOf(like).Elem()).Interface() }

// agrees compares the decoder with that of kube-apiserver, and the encoder with encoding/json. It reports whether the
// text was strict JSON.
func agrees(t *testing.T, part []byte, like any) bool {
	t.Helper()
	ours, theirs := zeroOf(like), zeroOf(like)
	unknown, err := objectjson.Decode(part, ours)
	if err != nil && !isSyntaxError(err) {
		return false // beyond a limit of claimbridge, although an API server may accept it
	}
	strict, theirErr := apijson.UnmarshalStrict(part, theirs)
	if (err != nil) != (theirErr != nil) || len(unknown) != len(strict) {
		t.Fatalf("%T: %s: %v and unknown %v, not %v and %v", like, part, err, unknown, theirErr, strict)
	}
	if err != nil {
		return false
	}
	if !reflect.DeepEqual(ours, theirs) {
		t.Fatalf("%T: %s is read as\n%#v, not\n%#v", like, part, ours, theirs)
	}
	if !objectjson.DecodeStrict(part, zeroOf(like)) {
		return false
	}
	written := objectjson.Marshal(ours)
	got, want := objectjson.Canonical(written), objectjson.Canonical(plain(t, theirs))
	if !bytes.Equal(withoutNone(got), withoutNone(want)) {
		t.Fatalf("%T: %s is written as\n%s, not\n%s", like, part, got, want)
	}
	return true
}

// isSyntaxError reports whether an error is not about a limit of this package.
func isSyntaxError(err error) bool {
	why := err.Error()
	for _, limit := range []string{"is a quantity of", "whose year", "has more than", "has so many items"} {
		if strings.Contains(why, limit) {
			return false
		}
	}
	return true
}

func plain(t *testing.T, v any) []byte {
	t.Helper()
	return must.Get(stdjson.Marshal(v))(t)
}

// withoutNone drops nil lists, which encoding/json writes as null.
func withoutNone(text []byte) []byte { return objectjson.Canonical(WithoutEmpty(text)) }

// Decoded values equal those of kube-apiserver's decoder, encoded values equal those of encoding/json, and random
// objects are strict JSON.
func TestReadingAgreesWithTheAPIServer(t *testing.T) {
	source := objects.New(objects.Seed(t))
	for i := range count(t) {
		for _, version := range Versions() {
			object := encode(source.Object(version, api.KindClaim))
			members, _ := must.Get2(objectjson.Members(object))(t)
			at := 2 * indexOf(version)
			for n, name := range []string{"spec", "status"} {
				part := objectjson.Get(members, name)
				if part != nil && !agrees(t, part, readable[at+n]) {
					t.Fatalf("object %d: not read: %s", i, part)
				}
			}
		}
	}
	for path, documents := range corpus(t) {
		for _, object := range documents {
			members, _, err := objectjson.Members(object)
			if err != nil {
				t.Fatal(path, err)
			}
			for _, like := range readable {
				agrees(t, object, like)
				for _, name := range []string{"spec", "status"} {
					if part := objectjson.Get(members, name); part != nil {
						agrees(t, part, like)
					}
				}
			}
		}
	}
}

// Equality is that of the API server.
func TestComparisonsAgreeWithTheAPIServer(t *testing.T) {
	source := objects.New(objects.Seed(t))
	var handles []v1alpha2.ResourceHandle
	for range 200 {
		if a := source.V1alpha2Status().Allocation; a != nil {
			handles = append(handles, a.ResourceHandles...)
		}
	}
	for i := range handles {
		other := handles[source.IntN(len(handles))]
		got, want := hub.EqualHandles(handles[i], other), equality.Semantic.DeepEqual(handles[i], other)
		if got != want {
			t.Errorf("%v: %+v and %+v", got, handles[i], other)
		}
		again := *handles[i].DeepCopy()
		if !hub.EqualHandles(handles[i], again) {
			t.Errorf("%+v is not itself", again)
		}
	}
}

// nonStrictParts are texts that decoders read differently.
var nonStrictParts = []string{
	`{"resourceClassName":"c","parametersRef":{"apiGroup":"g","kind":"k","name":"\u00e9\ud83d\ude00\ud800"},` +
		`"allocationMode":null}`,
	`{"driverName":"d","allocation":{"resourceHandles":[{"data":"{\"a\":1}"},null],` +
		`"availableOnNodes":{"nodeSelectorTerms":[{"matchFields":[{"key":"k","operator":"In","values":["v",` +
		`null]}]}]}},"reservedFor":[]}`,
	`{"allocation":{"resourceHandles":[{"structuredData":{"vendorClassParameters": {"a":1,"a":[1e3]} ` +
		`,"results":[{"vendorRequestParameters":null,"namedResources":{"name":"n"}}]}}]}}`,
	`{"devices":{"requests":[{"name":"a","count":12345678901234567,"adminAccess":true,` +
		`"selectors":[{"cel":{"expression":"x"}}]}],"constraints":[{"matchAttribute":"a/b"}],` +
		`"config":[{"opaque":{"driver":"d","parameters":{}}}]}}`,
	`{"devices":{"requests":[{"name":"a","exactly":{"count":-9223372036854775808,"capacity":{"requests":{"a":" 1Gi ` +
		`","b":5,"c":1e3,"d":"1e3","a":"2"}}}}]}}`,
	`{"devices":{"requests":[{"exactly":{"count":9223372036854775808}}]}}`,
	`{"devices":{"requests":[{"exactly":{"capacity":{"requests":{"a":"\u0031"}}}}]}}`,
	`{"devices":null,"controller":"a","controller":"b"}`,
	`{"Controller":"a"}`,
	`{"controller":"` + "\xff" + `"}`,
	`{"count":1.0}`,
	`{ }`,
	`null`,
	`{}x`,
	`{"devices":{"requests":[{"name":"a"}],"requests":[{"count":1},{"name":"b"}]}}`,
	`{"dev\u0069ces":{}}`,
	`{"devices":{"requests":{}}}`,
	`[]`,
	`"x"`,
	``,
	`{"metadata":{"name":"a","creationTimestamp":"2026-01-31T12:00:00Z","managedFields":[{"fieldsV1":{"f:a":{}},` +
		`"time":null}],"labels":{"a":"b"}},"spec":{}}`,
	`{"metadata":{"creationTimestamp":null,"generation":1e1}}`,
	`{"metadata":{"labels":{"a":1}}}`,
	`{"metadata":{"managedFields":[{"fieldsV1":1}]}}`,
	`{"devices":[{"conditions":[{"type":"a","lastTransitionTime":"2026-01-31T12:00:00+01:00"}],"data":null,` +
		`"networkData":{"ips":["a"]}}]}`,
}

func TestNonStrictPartsAreDecodedAsByAPIServers(t *testing.T) {
	for _, part := range nonStrictParts {
		for _, like := range readable {
			agrees(t, []byte(part), like)
		}
	}
}

// FuzzRead compares the decoder with that of the API server for any text.
func FuzzRead(f *testing.F) {
	for _, part := range nonStrictParts {
		f.Add([]byte(part))
	}
	f.Fuzz(func(t *testing.T, part []byte) {
		for _, like := range readable {
			agrees(t, part, like)
		}
	})
}
