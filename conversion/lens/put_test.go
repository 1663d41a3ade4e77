package lens

import (
	"errors"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// stored objects with fields of a later release, as they are written in the tables below.
const (
	claim = `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a","uid":"u","resourceVersion":"7","generation":2,"labels":{"x":"1"}},` +
		`"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c","allocationMode":"ExactCount","count":1,"later":1},"later":2},{"name":"s","firstAvailable":[{"name":"t","deviceClassName":"c","later":3}]}],` +
		`"config":[{"opaque":{"driver":"d","parameters":{"n": 1.50}},"later":4}]}},` +
		`"status":{"reservedFor":[{"resource":"pods","name":"p","uid":"1","later":5},{"resource":"pods","name":"q","uid":"2"}],"later":6}}`
	sliced = `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"a","resourceVersion":"7"},` +
		`"spec":{"driver":"d","pool":{"name":"p","generation":1,"resourceSliceCount":1,"later":1},"nodeName":"n","devices":[` +
		`{"name":"x","attributes":{"a":{"int":1}},"later":2},{"name":"y","capacity":{"m":{"value":"1Gi"}},"later":3}],"later":4}}`
)

func TestPut(t *testing.T) {
	change := func(in string, pairs ...string) string {
		t.Helper()
		for i := 0; i < len(pairs); i += 2 {
			if !strings.Contains(in, pairs[i]) {
				t.Fatalf("there is no %s in %s", pairs[i], in)
			}
		}
		return strings.NewReplacer(pairs...).Replace(in)
	}
	const managed = `{"kind":"ResourceClaim","metadata":{"name":"a","resourceVersion":"7","managedFields":[{"manager":"m","apiVersion":"resource.k8s.io/v1"}]},"spec":{}}`
	const meta = `"metadata":{"name":"a"},`
	const numbered = `{"kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"devices":{"config":[{"opaque":{"driver":"d","parameters":{"n":12345678901234567890}},"later":1}]}}}`
	const tainted = `{"kind":"ResourceSlice","metadata":{"name":"a"},"spec":{"driver":"d","devices":[{"name":"x","taints":[{"key":"k","effect":"NoExecute","timeAdded":"2026-01-01T00:00:00Z","later":1}]}]}}`
	const first, second = `{"driver":"d","pool":"p","device":"x"}`, `{"driver":"d","pool":"p","device":"y"}`
	const share = `{"driver":"d","pool":"p","device":"x","shareID":"5c1b4c3e-6c0d-4f0f-8f3b-000000000001"}` // which v1alpha3 has no field for
	const asksNothing = `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"devices":{}}}`
	const shares = `{"kind":"ResourceClaim","metadata":{"name":"a"},"spec":{},"status":{"allocation":{"devices":{"results":[` +
		`{"request":"r","driver":"d","pool":"p","device":"x","shareID":"1","later":1},{"request":"r","driver":"d","pool":"p","device":"x","shareID":"2","later":2}]}}}}`
	devices := func(items ...string) string {
		return `{"kind":"ResourceClaim","metadata":{"name":"a"},"spec":{},"status":{"devices":[` + strings.Join(items, ",") + `]}}`
	}
	const slicePool = `"pool":{"name":"p","generation":1,"resourceSliceCount":1}`
	tests := map[string]struct {
		version, live, object, want string
		status                      bool
	}{
		"labels alone, and the rest as a client knows it": {
			version: "v1beta1", live: claim,
			object: `{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim","metadata":{"name":"a","labels":{"x":"2","y":"3"}},"spec":{"devices":{"requests":[` +
				`{"name":"r","deviceClassName":"c","allocationMode":"ExactCount","count":1},{"name":"s","deviceClassName":"","firstAvailable":[{"name":"t","deviceClassName":"c"}]}],` +
				`"config":[{"opaque":{"driver":"d","parameters":{"n":1.5}}}]}},"status":{}}`,
			want: change(claim, `"labels":{"x":"1"}`, `"labels":{"x":"2","y":"3"}`),
		},
		"a request that changes keeps what the client does not know": {
			version: "v1beta1", live: claim,
			object: `{` + meta + `"spec":{"devices":{"requests":[{"name":"r","deviceClassName":"c","allocationMode":"ExactCount","count":4},{"name":"s","firstAvailable":[{"name":"t","deviceClassName":"c"}]}],` +
				`"config":[{"opaque":{"driver":"d","parameters":{"n":1.5}}}]}}}`,
			want: change(claim, `"count":1`, `"count":4`, `,"labels":{"x":"1"}`, ``),
		},
		"null takes a field of a later release away": {
			version: "v1beta2", live: sliced,
			object: `{` + meta + `"spec":{"driver":"d",` + slicePool + `,"nodeName":"n","later":null,"devices":[{"name":"x","attributes":{"a":{"int":1}}},{"name":"y","capacity":{"m":{"value":"1Gi"}}}]}}`,
			want:   change(sliced, `],"later":4`, `]`),
		},
		"devices are found by their names": {
			version: "v1beta1", live: sliced,
			object: `{` + meta + `"spec":{"driver":"d",` + slicePool + `,"nodeName":"n","devices":[{"name":"y","basic":{"capacity":{"m":{"value":"1024Mi"}}}},{"name":"z","basic":{}},{"name":"x","basic":{"attributes":{"a":{"int":2}}}}]}}`,
			want: change(sliced, `{"name":"x","attributes":{"a":{"int":1}},"later":2},{"name":"y","capacity":{"m":{"value":"1Gi"}},"later":3}`,
				`{"name":"y","capacity":{"m":{"value":"1Gi"}},"later":3},{"name":"z"},{"name":"x","attributes":{"a":{"int":2}},"later":2}`),
		},
		"a slice leaves its node": {
			version: "v1beta1", live: sliced,
			object: `{` + meta + `"spec":{"driver":"d",` + slicePool + `,"allNodes":true,"devices":[{"name":"x","basic":{"attributes":{"a":{"int":1}}}},{"name":"y","basic":{"capacity":{"m":{"value":"1Gi"}}}}]}}`,
			want:   change(sliced, `"nodeName":"n",`, ``, `"later":4`, `"later":4,"allNodes":true`),
		},
		"the resourceVersion is that of the object": {
			version: "v1beta1", live: sliced,
			object: `{"metadata":{"name":"a","resourceVersion":"5"},"spec":{"driver":"d",` + slicePool + `,"nodeName":"n","devices":[{"name":"x","basic":{"attributes":{"a":{"int":1}}}},{"name":"y","basic":{"capacity":{"m":{"value":"1Gi"}}}}]}}`,
			want:   change(sliced, `"resourceVersion":"7"`, `"resourceVersion":"5"`),
		},
		"an empty list of managedFields empties them": {
			version: "v1beta1", live: managed, object: `{"metadata":{"name":"a","managedFields":[]},"spec":{}}`,
			want: change(managed, `[{"manager":"m","apiVersion":"resource.k8s.io/v1"}]`, `[]`),
		},
		"managedFields that are left out stay": {version: "v1beta1", live: managed, object: `{"metadata":{"name":"a"},"spec":{}}`, want: managed},
		"null leaves managedFields alone":      {version: "v1beta2", live: managed, object: `{"metadata":{"name":"a","managedFields":null},"spec":{}}`, want: managed},
		"a consumer comes and one goes": {
			version: "v1beta1", live: claim, status: true,
			object: `{` + meta + `"status":{"reservedFor":[{"resource":"pods","name":"p","uid":"1"},{"resource":"pods","name":"z","uid":"3"}]}}`,
			want:   change(claim, `{"resource":"pods","name":"q","uid":"2"}`, `{"resource":"pods","name":"z","uid":"3"}`),
		},
		"and so in the first version": {
			version: "v1alpha1", live: claim, status: true,
			object: `{` + meta + `"status":{"reservedFor":[{"resource":"pods","name":"p","uid":"1"},{"resource":"pods","name":"z","uid":"3"}]}}`,
			want:   change(claim, `{"resource":"pods","name":"q","uid":"2"}`, `{"resource":"pods","name":"z","uid":"3"}`),
		},
		"no status is an empty one": {
			version: "v1beta2", live: claim, status: true, object: `{` + meta + `"spec":{}}`,
			want: change(claim, `"reservedFor":[{"resource":"pods","name":"p","uid":"1","later":5},{"resource":"pods","name":"q","uid":"2"}],`, ``),
		},
		"an allocation is for the first request of the stored claim": {
			version: "v1alpha2", live: claim, status: true,
			object: `{` + meta + `"status":{"driverName":"d","allocation":{"shareable":true},"reservedFor":[{"resource":"pods","name":"p","uid":"1"},{"resource":"pods","name":"q","uid":"2"}]}}`,
			want: change(claim, `"later":6`, `"later":6,"allocation":{"devices":{"results":[{"request":"r","driver":"d","pool":"claimbridge.dev","device":"none"}],"config":[{"source":"FromClass",`+
				`"opaque":{"driver":"claimbridge.dev","parameters":{"apiVersion":"claimbridge.dev/v1","controller":"d","digest":"DIGEST","kind":"ControlPlaneAllocation"}}}]}}`),
		},
		"parameters are compared by all digits of their numbers": {
			version: "v1beta2", live: numbered, object: change(numbered, `890}},"later":1`, `891}}`), want: change(numbered, `890}`, `891}`),
		},
		"which may be written in other ways": {
			version: "v1beta2", live: numbered, object: change(numbered, `12345678901234567890}},"later":1`, `1.2345678901234567890E+19}}`), want: numbered,
		},
		"a text of the same digits is no number": {
			version: "v1beta2", live: numbered, object: change(numbered, `12345678901234567890}},"later":1`, `"1234567890123456789e1"}}`),
			want: change(numbered, `12345678901234567890}},"later":1`, `"1234567890123456789e1"}}`),
		},
		"times are compared as instants": {
			version: "v1beta2", live: tainted, object: change(tainted, `2026-01-01T00:00:00Z","later":1`, `2026-01-01T01:00:00+01:00"`), want: tainted,
		},
		"another instant is another time": {
			version: "v1beta2", live: tainted, object: change(tainted, `2026-01-01T00:00:00Z","later":1`, `2026-01-01T00:00:00+01:00"`),
			want: change(tainted, `2026-01-01T00:00:00Z`, `2026-01-01T00:00:00+01:00`),
		},
		"an item that the version does not show stays behind the one before it": {
			version: "v1alpha3", live: devices(first, share, second), status: true, object: devices(second, first), want: devices(second, first, share),
		},
		"and at the end when that one is gone": {
			version: "v1alpha3", live: devices(first, share, second), status: true, object: devices(second), want: devices(second, share),
		},
		"items that are twice there are as they are written": {
			version: "v1alpha3", live: devices(first, share, first), status: true, object: devices(first, first, second), want: devices(first, first, second),
		},
		"results of two shares of a device are two": {
			version: "v1beta2", live: shares, status: true, object: change(shares, `"shareID":"1","later":1`, `"shareID":"1","adminAccess":true`, `,"later":2`, ``),
			want: change(shares, `"later":1`, `"later":1,"adminAccess":true`),
		},
		"a status is read by the spec that is stored": { // which asks for nothing, as the written one does, but has a class by then
			version: "v1alpha2", live: asksNothing, status: true,
			object: `{` + meta + `"spec":{},"status":{"driverName":"d","allocation":{"shareable":true}}}`,
			want: change(asksNothing, `"spec":{"devices":{}}`, `"spec":{"devices":{}},"status":{"allocation":{"devices":{"results":[{"request":"claim","driver":"d","pool":"claimbridge.dev","device":"none"}],`+
				`"config":[{"source":"FromClass","opaque":{"driver":"claimbridge.dev","parameters":{"apiVersion":"claimbridge.dev/v1","controller":"d","digest":"DIGEST","kind":"ControlPlaneAllocation"}}}]}}}`),
		},
		"a write of the main resource asks for nothing in the status": {
			version: "v1alpha2", live: claim,
			object: `{` + meta + `"spec":{"resourceClassName":"c"},"status":{"deallocationRequested":true}}`,
			want:   change(claim, `,"labels":{"x":"1"}`, ``),
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			kind := "ResourceClaim"
			if strings.Contains(test.live, `"kind":"ResourceSlice"`) {
				kind = "ResourceSlice"
			}
			l := newLens(t, test.version, kind)
			put := l.Put
			if test.status {
				put = l.PutStatus
			}
			got, err := put(nil, []byte(test.live), []byte(test.object))
			if err != nil {
				t.Fatal(err)
			}
			text := string(got)
			if at := strings.Index(text, `"digest":"`); at >= 0 {
				text = text[:at+10] + "DIGEST" + text[at+10+32:]
			}
			if text != test.want {
				t.Errorf("\n got %s\nwant %s", text, test.want)
			}
		})
	}
}

// What a version says beyond v1 takes entries of configuration, beside those that are there; more than v1 takes are refused.
func TestPutIsRefused(t *testing.T) {
	entries := func(n int, source string) string {
		return strings.TrimSuffix(strings.Repeat(`{`+source+`"opaque":{"driver":"d","parameters":{}}},`, n), ",")
	}
	spec := func(n int) string {
		return of("v1alpha3", "ResourceClaim", `"spec":{"controller":"c","devices":{"config":[`+entries(n, "")+`]}}`)
	}
	allocation := func(n int) string {
		return of("v1alpha3", "ResourceClaim", `"status":{"allocation":{"controller":"c","devices":{"config":[`+entries(n, `"source":"FromClaim",`)+`]}}}`)
	}
	tests := map[string]struct {
		object string
		status bool
		path   string // "" when it is not refused
	}{
		"an entry in a spec that is not full":                {object: spec(31)},
		"an entry more than a spec takes":                    {object: spec(32), path: "spec.controller"},
		"an entry in an allocation that is not full":         {object: allocation(63), status: true},
		"an entry more than an allocation takes":             {object: allocation(64), status: true, path: "status.allocation.devices.config"},
		"a write of the main resource leaves the status out": {object: allocation(64)},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			l := newLens(t, "v1alpha3", "ResourceClaim")
			put := l.Put
			if test.status {
				put = l.PutStatus
			}
			out, err := put([]byte("x"), []byte(of("v1", "ResourceClaim", `"spec":{}`)), []byte(test.object))
			path := ""
			var refused *field.Error
			if errors.As(err, &refused) {
				path = refused.Field
			}
			if path != test.path || (err != nil) != (test.path != "") {
				t.Errorf("want %q, got %v", test.path, err)
			}
			if err != nil && string(out) != "x" {
				t.Errorf("got %s beside the error", clip(out))
			}
		})
	}
}

// Only claims have a status.
func TestPutStatusOfWhatHasNone(t *testing.T) {
	if _, err := newLens(t, "v1beta1", "ResourceSlice").PutStatus(nil, []byte(sliced), []byte(`{}`)); err == nil {
		t.Error("a slice has got a status")
	}
}
