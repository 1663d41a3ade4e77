package lens

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/conversion/internal/merge"
)

// of is an object of a version with these members beside its type and name.
func of(version, kind, members string) string {
	return `{"apiVersion":"resource.k8s.io/` + version + `","kind":"` + kind + `","metadata":{"name":"a"},` + members + `}`
}

// requestsOf a claim.
func requestsOf(requests string) string { return `"spec":{"devices":{"requests":[` + requests + `]}}` }

func TestDown(t *testing.T) {
	tests := map[string]struct{ version, kind, stored, want string }{
		"the members of exactly stand in the request": {
			"v1beta1", "ResourceClaim", requestsOf(`{"name":"r","exactly":{"deviceClassName":"c","count":1,"later":1}}`),
			requestsOf(`{"name":"r","deviceClassName":"c","count":1,"later":1}`),
		},
		"a request of alternatives has an empty class": {
			"v1beta1", "ResourceClaim", requestsOf(`{"name":"r","firstAvailable":[{"name":"s"}]}`),
			requestsOf(`{"name":"r","deviceClassName":"","firstAvailable":[{"name":"s"}]}`),
		},
		"also where it says nothing": {
			"v1beta1", "ResourceClaimTemplate", `"spec":{` + requestsOf(`{}`) + `}`, `"spec":{` + requestsOf(`{"deviceClassName":""}`) + `}`,
		},
		"or its exactly does not": {
			"v1beta1", "ResourceClaim", requestsOf(`{"name":"r","exactly":{}},{"exactly":null,"later":1}`),
			requestsOf(`{"name":"r","deviceClassName":""},{"deviceClassName":"","later":1}`),
		},
		"v1beta2 has an exactly": {
			"v1beta2", "ResourceClaim", requestsOf(`{"name":"r","exactly":{"deviceClassName":"c"}}`),
			requestsOf(`{"name":"r","exactly":{"deviceClassName":"c"}}`),
		},
		"a device has all but its name in basic": {
			"v1beta1", "ResourceSlice", `"spec":{"devices":[{"name":"d","capacity":{"m":{"value":"1"}},"later":1},{"name":"e"}]}`,
			`"spec":{"devices":[{"name":"d","basic":{"capacity":{"m":{"value":"1"}},"later":1}},{"name":"e","basic":{}}]}`,
		},
		"nodeName and allNodes are not there where they say nothing": {
			"v1beta1", "ResourceSlice", `"spec":{"driver":"d","nodeName":"","allNodes":false,"devices":null}`, `"spec":{"driver":"d","devices":null}`,
		},
		"and are where they do": {
			"v1beta1", "ResourceSlice", `"spec":{"nodeName":"n","allNodes":true}`, `"spec":{"nodeName":"n","allNodes":true}`,
		},
		"a class is the same": {
			"v1beta1", "DeviceClass", `"spec":{"extendedResourceName":"example.com/gpu","later":1}`, `"spec":{"extendedResourceName":"example.com/gpu","later":1}`,
		},
		"white space and numbers stay where nothing changes": {
			"v1beta1", "ResourceClaim", `"spec":{"devices":{"config":[{"opaque":{"driver":"d","parameters":{ "n" : 1.50 }}}]}}`,
			`"spec":{"devices":{"config":[{"opaque":{"driver":"d","parameters":{ "n" : 1.50 }}}]}}`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := newLens(t, test.version, test.kind).Down(nil, []byte(of("v1", test.kind, test.stored)))
			if want := of(test.version, test.kind, test.want); err != nil || string(got) != want {
				t.Errorf("%v\n got %s\nwant %s", err, got, want)
			}
		})
	}
}

func TestUp(t *testing.T) {
	tests := map[string]struct{ version, kind, object, want string }{
		"the members of a request go into exactly, also what came later": {
			"v1beta1", "ResourceClaim", requestsOf(`{"deviceClassName":"c","later":1,"name":"r","adminAccess":false}`),
			requestsOf(`{"name":"r","exactly":{"deviceClassName":"c","later":1,"adminAccess":false}}`),
		},
		"what is not set makes no exactly": {
			"v1beta1", "ResourceClaim", requestsOf(`{"name":"r","deviceClassName":"","count":0,"allocationMode":"","adminAccess":null,"later":1,"firstAvailable":[]}`),
			requestsOf(`{"name":"r","later":1,"firstAvailable":[]}`),
		},
		"an empty list makes one": {
			"v1beta1", "ResourceClaim", requestsOf(`{"name":"r","tolerations":[]}`), requestsOf(`{"name":"r","exactly":{"tolerations":[]}}`),
		},
		"v1beta1 has no exactly": {
			"v1beta1", "ResourceClaim", requestsOf(`{"name":"r","exactly":{"deviceClassName":"c"}}`), requestsOf(`{"name":"r"}`),
		},
		"of two members with one name the last counts": {
			"v1beta1", "ResourceClaim", requestsOf(`{"name":"r","count":2,"count":0}`), requestsOf(`{"name":"r"}`),
		},
		"basic is the device": {
			"v1beta1", "ResourceSlice", `"spec":{"devices":[{"name":"d","basic":{"attributes":{},"later":1,"name":"e"},"capacity":{}},{"name":"e"},{"name":"f","basic":null}]}`,
			`"spec":{"devices":[{"name":"d","attributes":{},"later":1},{"name":"e"},{"name":"f"}]}`,
		},
		"an empty nodeName is none": {
			"v1beta1", "ResourceSlice", `"spec":{"nodeName":"","driver":"d","allNodes":false}`, `"spec":{"driver":"d"}`,
		},
		"a class and its parameters": {
			"v1alpha2", "ResourceClaim", `"spec":{"resourceClassName":"c","parametersRef":{"kind":"K","name":"p"}}`,
			`"spec":{"devices":{"requests":[{"name":"claim","exactly":{"deviceClassName":"c","allocationMode":"ExactCount","count":1}}],` +
				`"config":[{"opaque":{"driver":"claimbridge.dev","parameters":{"apiVersion":"claimbridge.dev/v1","kind":"ClassicClaimSpec","parametersRef":{"kind":"K","name":"p"}}}}]}}`,
		},
		"no request to deallocate": {
			"v1alpha2", "ResourceClaim", `"spec":{"resourceClassName":"c"},"status":{"deallocationRequested":false}`,
			requestsOf(`{"name":"claim","exactly":{"deviceClassName":"c","allocationMode":"ExactCount","count":1}}`) + `,"status":{}`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := newLens(t, test.version, test.kind).Up(nil, []byte(of(test.version, test.kind, test.object)))
			if want := of("v1", test.kind, test.want); err != nil || string(got) != want {
				t.Errorf("%v\n got %s\nwant %s", err, got, want)
			}
		})
	}
}

// TestWhatAnObjectDoesNotSayComesInOneOrder: an answer is the same each time.
func TestWhatAnObjectDoesNotSayComesInOneOrder(t *testing.T) {
	for _, version := range Versions() {
		l := newLens(t, version, "ResourceClaim")
		first, err := l.Up(nil, []byte(`{}`))
		for range 20 {
			again, errAgain := l.Up(nil, []byte(`{}`))
			if string(first) != string(again) || (err == nil) != (errAgain == nil) {
				t.Fatalf("%s: %s %v, and then %s %v", version, first, err, again, errAgain)
			}
		}
	}
}

// What is applied gets nothing that it does not say, although it has a name.
func TestFragment(t *testing.T) {
	tests := map[string]struct{ version, kind, fragment, want string }{
		"no defaults": {
			"v1beta1", "ResourceClaim", requestsOf(`{"name":"r","deviceClassName":"c"}`), requestsOf(`{"name":"r","exactly":{"deviceClassName":"c"}}`),
		},
		"of a class neither": {
			"v1alpha2", "ResourceClaim", `"spec":{"resourceClassName":"c"}`, requestsOf(`{"name":"claim","exactly":{"deviceClassName":"c"}}`),
		},
		"nor of an allocation": {
			"v1alpha2", "ResourceClaim", `"status":{"allocation":{}}`, `"status":{"allocation":{}}`,
		},
		"an empty spec": {"v1alpha3", "ResourceClaimTemplate", `"spec":{}`, `"spec":{}`},
		"reservations":  {"v1alpha1", "ResourceClaim", `"status":{"reservedFor":[{"resource":"pods","name":"p","uid":"1"}]}`, `"status":{"reservedFor":[{"resource":"pods","name":"p","uid":"1"}]}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := newLens(t, test.version, test.kind).Fragment(nil, []byte(of(test.version, test.kind, test.fragment)))
			if want := of("v1", test.kind, test.want); err != nil || string(got) != want {
				t.Errorf("%v\n got %s\nwant %s", err, got, want)
			}
		})
	}
}

// An allocation that is applied is for the first request that the stored claim has.
func TestFragmentStatus(t *testing.T) {
	fragment := of("v1alpha2", "ResourceClaim", `"status":{"driverName":"d","allocation":{"shareable":true}}`)
	got, err := newLens(t, "v1alpha2", "ResourceClaim").FragmentStatus(nil, []byte(claim), []byte(fragment))
	if err != nil || !strings.Contains(string(got), `"results":[{"request":"r","driver":"d"`) {
		t.Errorf("%v, got %s", err, got)
	}
}

// Items of a list do not say what they are, and are not made to.
func TestDownOfItems(t *testing.T) {
	for _, version := range Versions() {
		for _, kind := range Kinds(version) {
			got, err := newLens(t, version, kind).Down(nil, []byte(`{"metadata":{"name":"a"}}`))
			if want := `{"metadata":{"name":"a"}}`; err != nil || string(got) != want {
				t.Errorf("%s %s: %v, got %s", version, kind, err, got)
			}
		}
	}
}

// What claimbridge's conversion of files puts beside an object is its author's here: it is shown, and nobody acts on it.
func TestAnnotationsOfOursAreLikeOthers(t *testing.T) {
	const beside = `{"name":"a","labels":{"claimbridge.dev/incomplete":"spec"},"annotations":{"claimbridge.dev/v1-spec":"{}","claimbridge.dev/v1-status":"{}"}}`
	for _, version := range Versions() {
		for kind, rest := range map[string]string{"ResourceClaim": `"spec":{}`, "ResourceClaimTemplate": `"spec":{"metadata":` + beside + `,"spec":{}}`} {
			l := newLens(t, version, kind)
			live := `{"apiVersion":"resource.k8s.io/v1","kind":"` + kind + `","metadata":` + beside + `,` + rest + `}`
			shown, err := l.Down(nil, []byte(live))
			if err != nil || strings.Count(string(shown), beside) != strings.Count(live, beside) {
				t.Errorf("%s: %v, shown as %s", version, err, shown)
			}
			if up, err := l.Up(nil, shown); err != nil || strings.Count(string(up), beside) != strings.Count(live, beside) {
				t.Errorf("%s: %v, goes up as %s", version, err, up)
			}
		}
	}
}

// What owns an object is found when the old version is gone. An API server takes what was changed in v1beta1 as changed in v1.
func TestMetadataGoesUp(t *testing.T) {
	const metadata = `{"name":"a","ownerReferences":[{"apiVersion":"resource.k8s.io/%s","kind":"ResourceClaimTemplate","name":"t","uid":"1"},` +
		`{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClass","name":"c","uid":"2"},{"apiVersion":"v1","kind":"Pod","name":"p","uid":"3"},` +
		`{"apiVersion":"example.com/v1beta1","kind":"ResourceClaim","name":"f","uid":"4"}],` + // which is somebody else's
		`"managedFields":[{"manager":"m","apiVersion":"resource.k8s.io/%s"},{"manager":"n","apiVersion":"resource.k8s.io/v1alpha2"}]}`
	for _, version := range Versions() {
		object := `{"apiVersion":"resource.k8s.io/` + version + `","kind":"ResourceClaim","metadata":` + fmt.Sprintf(metadata, version, version) + `}`
		managed := version
		if api.IsNative(version) {
			managed = "v1"
		}
		got, err := newLens(t, version, "ResourceClaim").Up(nil, []byte(object))
		if want := fmt.Sprintf(metadata, "v1", managed); err != nil || !strings.Contains(string(got), want) {
			t.Errorf("%s: %v\n got %s\nwant %s", version, err, got, want)
		}
	}
}

func TestErrors(t *testing.T) {
	full := `{"driverName":"d","data":"` + strings.Repeat("x", 16<<10) + `"}`
	handles := func(n int) string { return strings.TrimSuffix(strings.Repeat(full+",", n), ",") }
	tests := map[string]struct{ version, kind, object, path, why string }{
		"a claim is not a class":        {"v1beta1", "DeviceClass", of("v1beta1", "ResourceClaim", `"spec":{}`), "kind", "the kind in the data (ResourceClaim) does not match the expected kind (DeviceClass)"},
		"nor v1 an older version":       {"v1beta1", "DeviceClass", of("v1", "DeviceClass", `"spec":{}`), "apiVersion", "the API version in the data (resource.k8s.io/v1) does not match"},
		"requests are a list":           {"v1beta1", "ResourceClaim", of("v1beta1", "ResourceClaim", `"spec":{"devices":{"requests":{}}}`), "spec.devices.requests", "must be a list"},
		"of objects":                    {"v1beta1", "ResourceClaimTemplate", of("v1beta1", "ResourceClaimTemplate", `"spec":{`+requestsOf(`{},1`)+`}`), "spec.spec.devices.requests[1]", "must be an object"},
		"basic is an object":            {"v1beta1", "ResourceSlice", of("v1beta1", "ResourceSlice", `"spec":{"devices":[{"basic":1}]}`), "spec.devices[0].basic", "must be an object"},
		"no JSON":                       {"v1beta2", "ResourceClaim", `{"spec":`, "spec", "is not JSON"},
		"no object":                     {"v1beta2", "ResourceClaim", `[]`, "", "must be an object"},
		"a request to deallocate":       {"v1alpha2", "ResourceClaim", of("v1alpha2", "ResourceClaim", `"spec":{"resourceClassName":"c"},"status":{"deallocationRequested":true}`), "status.deallocationRequested", "clear status.allocation"},
		"and in v1alpha3":               {"v1alpha3", "ResourceClaim", of("v1alpha3", "ResourceClaim", `"status":{"deallocationRequested":true}`), "status.deallocationRequested", "clear status.allocation"},
		"more handles than v1 can hold": {"v1alpha2", "ResourceClaim", of("v1alpha2", "ResourceClaim", `"spec":{"resourceClassName":"c"},"status":{"driverName":"d","allocation":{"resourceHandles":[`+handles(22)+`]}}`), "status.allocation", "at most 64: use fewer handles"},
		"a number for a text":           {"v1alpha2", "ResourceClaim", of("v1alpha2", "ResourceClaim", `"spec":{"resourceClassName":1}`), "spec.resourceClassName", "must be a string"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := newLens(t, test.version, test.kind).Up(nil, []byte(test.object))
			path, why := "", ""
			var wrong *conversion.DecodeError
			var refused *field.Error
			switch {
			case errors.As(err, &wrong):
				path, why = wrong.Field, wrong.Why
			case errors.As(err, &refused):
				path, why = refused.Field, refused.Detail
			}
			if path != test.path || !strings.Contains(why, test.why) {
				t.Errorf("got %v", err)
			}
		})
	}
	for version, kind := range map[string]string{"v1alpha2": "ResourceSlice", "v1": "ResourceClaim", "v2": "ResourceClaim", "v1beta1": "PodSchedulingContext"} {
		if _, err := New(version, kind); err == nil {
			t.Errorf("there is a lens for %s %s", version, kind)
		}
	}
}

// A handle of the greatest size is in parts, and whole again going down.
func TestGreatHandles(t *testing.T) {
	l := newLens(t, "v1alpha2", "ResourceClaim")
	object := of("v1alpha2", "ResourceClaim", `"spec":{"resourceClassName":"c","allocationMode":"WaitForFirstConsumer"},"status":{"driverName":"d","allocation":{"resourceHandles":[{"driverName":"d","data":"`+
		strings.Repeat("x", 16<<10)+`"}],"shareable":true}}`)
	up, err := l.Up(nil, []byte(object))
	if err != nil {
		t.Fatal(err)
	}
	config := partGet(partGet(partGet(partGet(up, "status"), "allocation"), "devices"), "config")
	for _, entry := range merge.ItemsOf(config) {
		if n := len(partGet(partGet(entry, "opaque"), "parameters")); n > 10<<10 {
			t.Errorf("an entry of %d bytes", n)
		}
	}
	if down, err := l.Down(nil, up); err != nil || string(down) != object {
		t.Errorf("%v\n got %s\nwant %s", err, clip(down), clip([]byte(object)))
	}
}
