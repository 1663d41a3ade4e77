package lens

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// of is an object of a version with these members beside its type and name.
func of(version, kind, members string) string {
	return `{"apiVersion":"resource.k8s.io/` + version + `","kind":"` + kind + `","metadata":{"name":"a"},` + members +
		`}`
}

// requestsOf a claim.
func requestsOf(requests string) string { return `"spec":{"devices":{"requests":[` + requests + `]}}` }

// What the laws do not draw: API servers write no such objects.
func TestDownAndUp(t *testing.T) {
	type row struct {
		Version, Kind        string
		Stored, Object, Want objects.JSON
	}
	for name, test := range objects.Cases[row](t, "testdata/down.yaml") {
		t.Run(name, func(t *testing.T) {
			got, err := newLens(t, test.Version, test.Kind).Down(nil, named("v1", test.Kind, test.Stored))
			sameJSON(t, err, got, named(test.Version, test.Kind, test.Want))
		})
	}
	for name, test := range objects.Cases[row](t, "testdata/up.yaml") {
		t.Run(name, func(t *testing.T) {
			got, err := newLens(t, test.Version, test.Kind).Up(nil, named(test.Version, test.Kind, test.Object))
			sameJSON(t, err, got, named("v1", test.Kind, test.Want))
		})
	}
}

// named is an object of a version with these members beside its type and name.
func named(version, kind string, members objects.JSON) []byte {
	return []byte(of(version, kind, string(members[1:len(members)-1])))
}

// sameJSON but for the order of members, which the law of what is written in-tree holds to the byte.
func sameJSON(t *testing.T, err error, got, want []byte) {
	t.Helper()
	if err != nil || !bytes.Equal(kjson.Ordered(got), kjson.Ordered(want)) {
		t.Errorf("%v\n got %s\nwant %s", err, got, want)
	}
}

func TestSpellingsStayWhereNothingChanges(t *testing.T) {
	const members = `"spec":{"devices":{"config":[{"opaque":{"driver":"d","parameters":{ "n" : 1.50 }}}]}}`
	got, err := newLens(t, "v1beta1", "ResourceClaim").Down(nil, []byte(of("v1", "ResourceClaim", members)))
	if want := of("v1beta1", "ResourceClaim", members); err != nil || string(got) != want {
		t.Errorf("%v\n got %s\nwant %s", err, got, want)
	}
}

// Items of a list do not say what they are, and are not made to.
func TestDownOfItems(t *testing.T) {
	for _, version := range shownVersions {
		for _, kind := range Kinds(version) {
			got, err := newLens(t, version, kind).Down(nil, []byte(`{"metadata":{"name":"a"}}`))
			if want := `{"metadata":{"name":"a"}}`; err != nil || string(got) != want {
				t.Errorf("%s %s: %v, got %s", version, kind, err, got)
			}
		}
	}
}

// What claimbridge's conversion of files puts beside an object is its author's here: it is shown,
// and nobody acts on it.
func TestAnnotationsOfOursAreLikeOthers(t *testing.T) {
	const beside = `{"name":"a","labels":{"claimbridge.dev/incomplete":"spec"},` +
		`"annotations":{"claimbridge.dev/v1-spec":"{}","claimbridge.dev/v1-status":"{}"}}`
	for _, version := range shownVersions {
		for kind, rest := range map[string]string{
			"ResourceClaim":         `"spec":{}`,
			"ResourceClaimTemplate": `"spec":{"metadata":` + beside + `,"spec":{}}`,
		} {
			l := newLens(t, version, kind)
			live := `{"apiVersion":"resource.k8s.io/v1","kind":"` + kind + `","metadata":` + beside + `,` + rest + `}`
			shown, err := l.Down(nil, []byte(live))
			if err != nil || strings.Count(string(shown), beside) != strings.Count(live, beside) {
				t.Errorf("%s: %v, shown as %s", version, err, shown)
			}
			up, err := l.Up([]byte("x"), shown)
			if l.view == "" && (err != nil || strings.Count(string(up), beside) != strings.Count(live, beside)) ||
				l.view != "" && (err == nil || string(up) != "x") {
				t.Errorf("%s: %v, goes up as %s", version, err, up)
			}
		}
	}
}

// What owns an object is found when the old version is gone. An API server takes what was changed
// in v1beta1 as changed in v1, and in v1beta1 what was changed in v1.
func TestMetadataGoesUp(t *testing.T) {
	const metadata = `{"name":"a","ownerReferences":[{"apiVersion":"resource.k8s.io/%s",` +
		`"kind":"ResourceClaimTemplate","name":"t","uid":"1"},` +
		`{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClass","name":"c","uid":"2"},{"apiVersion":"v1",` +
		`"kind":"Pod","name":"p","uid":"3"},` +
		// which is somebody else's
		`{"apiVersion":"example.com/v1beta1","kind":"ResourceClaim","name":"f","uid":"4"}],` +
		`"managedFields":[{"manager":"m","apiVersion":"resource.k8s.io/%s"},{"manager":"n",` +
		`"apiVersion":"resource.k8s.io/v1alpha2"}]}`
	for _, way := range [][2]string{{"v1", "v1beta1"}, {"v1", "v1beta2"}, {"v1beta1", "v1"}} {
		served, shown := way[0], way[1]
		object := `{"apiVersion":"resource.k8s.io/` + shown + `","kind":"ResourceClaim","metadata":` +
			fmt.Sprintf(metadata,
				shown, shown) + `}`
		got, err := must.Get(Between(served, shown, "ResourceClaim"))(t).Up(nil, []byte(object))
		if want := fmt.Sprintf(metadata, served, served); err != nil || !strings.Contains(string(got), want) {
			t.Errorf("%v: %v\n got %s\nwant %s", way, err, got, want)
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
		"no JSON":   {"v1beta2", "ResourceClaim", `{"spec":`, "spec", "is not JSON"},
		"no object": {"v1beta2", "ResourceClaim", `[]`, "", "must be an object"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := newLens(t, test.version, test.kind).Up(nil, []byte(test.object))
			path, why := "", ""
			var wrong *conversion.DecodeError
			if errors.As(err, &wrong) {
				path, why = wrong.Field, wrong.Why
			}
			if path != test.path || !strings.Contains(why, test.why) {
				t.Errorf("got %v", err)
			}
		})
	}
}
