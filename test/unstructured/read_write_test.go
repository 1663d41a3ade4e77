package unstructured

import (
	"bytes"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/test/objects"
)

// of returns an object of a version with these members in addition to its type and name.
func of(version, kind, members string) string {
	return `{"apiVersion":"resource.k8s.io/` + version + `","kind":"` + kind + `","metadata":{"name":"a"},` + members +
		`}`
}

// requestsOf a claim.
func requestsOf(requests string) string { return `"spec":{"devices":{"requests":[` + requests + `]}}` }

// The property tests do not generate these objects, as API servers do not write them.
func TestReadAndWrite(t *testing.T) {
	type row struct {
		Version, Kind        string
		Stored, Object, Want objects.JSON
	}
	for name, test := range objects.Cases[row](t, "testdata/read.yaml") {
		t.Run(name, func(t *testing.T) {
			got, err := clientOf(test.Version, test.Kind).read(named("v1", test.Kind, test.Stored))
			sameJSON(t, err, got, named(test.Version, test.Kind, test.Want))
		})
	}
	for name, test := range objects.Cases[row](t, "testdata/write.yaml") {
		t.Run(name, func(t *testing.T) {
			got, err := clientOf(test.Version, test.Kind).write(named(test.Version, test.Kind, test.Object))
			sameJSON(t, err, got, named("v1", test.Kind, test.Want))
		})
	}
}

// named returns an object of a version with these members in addition to its type and name.
func named(version, kind string, members objects.JSON) []byte {
	return []byte(of(version, kind, string(members[1:len(members)-1])))
}

// sameJSON ignores the order of members, which resultIsThatOfKubernetes compares.
func sameJSON(t *testing.T, err error, got, want []byte) {
	t.Helper()
	if err != nil || !bytes.Equal(objectjson.CanonicalWithDigits(got), objectjson.CanonicalWithDigits(want)) {
		t.Errorf("%v\n got %s\nwant %s", err, got, want)
	}
}

func TestParametersKeepTheirBytes(t *testing.T) {
	const members = `"spec":{"devices":{"config":[{"opaque":{"driver":"d","parameters":{ "n" : 1.50 }}}]}}`
	got, err := clientOf("v1beta1", "ResourceClaim").read([]byte(of("v1", "ResourceClaim", members)))
	if want := of("v1beta1", "ResourceClaim", members); err != nil || string(got) != want {
		t.Errorf("%v\n got %s\nwant %s", err, got, want)
	}
}

// Items of a list have no apiVersion and kind, and get none.
func TestItemsOfLists(t *testing.T) {
	for _, version := range otherVersions {
		if isProjection(version) {
			continue
		}
		for _, kind := range kindsOf(version) {
			got, err := clientOf(version, kind).read([]byte(`{"metadata":{"name":"a"}}`))
			if want := `{"metadata":{"name":"a"}}`; err != nil || string(got) != want {
				t.Errorf("%s %s: %v, got %s", version, kind, err, got)
			}
		}
	}
}

// Annotations and labels that the conversion of files writes have no meaning here, and are kept.
func TestAnnotationsOfClaimbridgeAreKept(t *testing.T) {
	const beside = `{"name":"a","labels":{"claimbridge.dev/incomplete":"spec"},` +
		`"annotations":{"claimbridge.dev/v1-spec":"{}","claimbridge.dev/v1-status":"{}"}}`
	for _, version := range otherVersions {
		for kind, rest := range map[string]string{
			"ResourceClaim":         `"spec":{}`,
			"ResourceClaimTemplate": `"spec":{"metadata":` + beside + `,"spec":{}}`,
		} {
			c := clientOf(version, kind)
			live := `{"apiVersion":"resource.k8s.io/v1","kind":"` + kind + `","metadata":` + beside + `,` + rest + `}`
			read, err := c.read([]byte(live))
			if err != nil || strings.Count(string(read), beside) != strings.Count(live, beside) {
				t.Errorf("%s: %v, read as %s", version, err, read)
			}
			if isProjection(version) {
				continue
			}
			written, err := c.write(read)
			if err != nil || strings.Count(string(written), beside) != strings.Count(live, beside) {
				t.Errorf("%s: %v, written as %s", version, err, written)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	tests := map[string]struct{ version, kind, object, path, why string }{
		"a claim is not a class": {
			"v1beta1",
			"DeviceClass",
			of("v1beta1", "ResourceClaim", `"spec":{}`),
			"kind",
			"the kind in the data (ResourceClaim) does not match the expected kind (DeviceClass)",
		},
		"nor v1 an older version": {
			"v1beta1",
			"DeviceClass",
			of("v1", "DeviceClass", `"spec":{}`),
			"apiVersion",
			"the API version in the data (resource.k8s.io/v1) does not match",
		},
		"requests are a list": {
			"v1beta1",
			"ResourceClaim",
			of("v1beta1", "ResourceClaim", `"spec":{"devices":{"requests":{}}}`),
			"spec.devices.requests",
			"must be a list",
		},
		"of objects": {
			"v1beta1",
			"ResourceClaimTemplate",
			of("v1beta1", "ResourceClaimTemplate", `"spec":{`+requestsOf(`{},1`)+`}`),
			"spec.spec.devices.requests[1]",
			"must be an object",
		},
		"basic is an object": {
			"v1beta1",
			"ResourceSlice",
			of("v1beta1", "ResourceSlice", `"spec":{"devices":[{"basic":1}]}`),
			"spec.devices[0].basic",
			"must be an object",
		},
		"no JSON": {"v1beta2", "ResourceClaim", `{"spec":`, "", "is not JSON"},
		"a duplicate key": {
			"v1beta1",
			"ResourceClaim",
			of("v1beta1", "ResourceClaim", requestsOf(`{"name":"r","count":2,"count":0}`)),
			"spec.devices.requests[0]",
			`duplicate key "count"`,
		},
		"no object": {"v1beta2", "ResourceClaim", `[]`, "", "must be an object"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := clientOf(test.version, test.kind).write([]byte(test.object))
			want := test.why
			if test.path != "" {
				want = test.path + ": " + want
			}
			if err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("got %v, want %s", err, want)
			}
		})
	}
}
