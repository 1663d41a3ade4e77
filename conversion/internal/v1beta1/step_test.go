package v1beta1

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/api/v1beta1"
)

func read[T any](t *testing.T, text string) *T {
	t.Helper()
	v := new(T)
	if err := json.Unmarshal([]byte(text), v); err != nil {
		t.Fatal(err)
	}
	return v
}

func text(t *testing.T, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// What each row of the tables says, going down, and that it comes back.
func TestSpecsGoDownByTheTable(t *testing.T) {
	for name, test := range map[string]struct{ new, old, left string }{
		"a request":    {`{"requests":[{"name":"a","deviceClassName":"c","adminAccess":false}]}`, `{"devices":{"requests":[{"name":"a","deviceClassName":"c","adminAccess":false}]}}`, `null`},
		"alternatives": {`{"requests":[{"name":"a","firstAvailable":[{"name":"b","deviceClassName":"c"}]}]}`, `{"devices":{"requests":[{"name":"a","firstAvailable":[{"name":"b","deviceClassName":"c"}]}]}}`, `null`},
		"capacity":     {`{"requests":[{"name":"a","capacity":{"requests":{"m":"1Gi"}}},{"name":"b"}]}`, `{"devices":{"requests":[{"name":"a"},{"name":"b"}]}}`, `{"requests":[{"item":{"name":"a","capacity":{"requests":{"m":"1Gi"}}}},{"native":1}]}`},
		"of an alternative": {`{"requests":[{"name":"a","firstAvailable":[{"name":"b","capacity":{}}]}]}`, `{"devices":{"requests":[{"name":"a","firstAvailable":[{"name":"b"}]}]}}`,
			`{"requests":[{"item":{"name":"a","firstAvailable":[{"name":"b","capacity":{}}]}}]}`},
		"derived":           {`{"requests":[{"name":"a","derivedAttributes":[{"name":"d/x","expression":"1"}]}]}`, `{"devices":{"requests":[{"name":"a"}]}}`, `{"requests":[{"item":{"name":"a","derivedAttributes":[{"name":"d/x","expression":"1"}]}}]}`},
		"no effect":         {`{"requests":[{"name":"a","tolerations":[{"key":"k","effect":"None"},{"key":"l"}]}]}`, `{"devices":{"requests":[{"name":"a","tolerations":[{"key":"l"}]}]}}`, `{"requests":[{"item":{"name":"a","tolerations":[{"key":"k","effect":"None"},{"key":"l"}]}}]}`},
		"a difference":      {`{"constraints":[{"matchAttribute":"d/a"},{"distinctAttribute":"d/b"}]}`, `{"devices":{"constraints":[{"matchAttribute":"d/a"}]}}`, `{"constraints":[{"native":0},{"item":{"distinctAttribute":"d/b"}}]}`},
		"both":              {`{"constraints":[{"matchAttribute":"d/a","distinctAttribute":"d/b"}]}`, `{"devices":{"constraints":[{"matchAttribute":"d/a"}]}}`, `{"constraints":[{"item":{"matchAttribute":"d/a","distinctAttribute":"d/b"}}]}`},
		"a controller":      {`{"config":[{"opaque":{"driver":"d","parameters":{}}},` + controllerEntry + `]}`, `{"devices":{"config":[{"opaque":{"driver":"d","parameters":{}}}]},"controller":"c.example.com"}`, `null`},
		"it is not last":    {`{"config":[` + controllerEntry + `,{"opaque":{"driver":"d","parameters":{}}}]}`, `{"devices":{"config":[{"opaque":{"driver":"d","parameters":{}}}]},"controller":"c.example.com"}`, `{"controllerAt":0}`},
		"it is there twice": {`{"config":[` + controllerEntry + `,` + controllerEntry + `]}`, `{"devices":{"config":[` + controllerEntry + `]},"controller":"c.example.com"}`, `{"controllerAt":0}`},
		"it names nobody": {`{"config":[{"opaque":{"driver":"claimbridge.dev","parameters":{"apiVersion":"claimbridge.dev/v1","controller":"","kind":"ControlPlaneClaim"}}}]}`,
			`{"devices":{"config":[{"opaque":{"driver":"claimbridge.dev","parameters":{"apiVersion":"claimbridge.dev/v1","controller":"","kind":"ControlPlaneClaim"}}}]}}`, `null`},
		"for a request": {`{"config":[{"requests":["r"],` + controllerEntry[1:] + `]}`, `{"devices":{"config":[{"requests":["r"],` + controllerEntry[1:] + `]}}`, `null`},
	} {
		t.Run(name, func(t *testing.T) {
			new := &v1beta1.ResourceClaimSpec{Devices: *read[v1beta1.DeviceClaim](t, test.new)}
			before := text(t, new)
			old, left := downSpec(new, false, false)
			if got := text(t, old); got != test.old {
				t.Errorf("it becomes\n%s, not\n%s", got, test.old)
			}
			if got := text(t, left); got != test.left {
				t.Errorf("left over is\n%s, not\n%s", got, test.left)
			}
			if left != nil {
				if err := left.check(oldClaim{Spec: old}); err != nil {
					t.Errorf("what is left over is refused: %v", err)
				}
			}
			if got := text(t, upSpec(old, left, false)); got != before {
				t.Errorf("back is\n%s, not\n%s", got, before)
			}
			if after := text(t, new); after != before {
				t.Errorf("the spec itself was changed: %s", after)
			}
		})
	}
}

const controllerEntry = `{"opaque":{"driver":"claimbridge.dev","parameters":{"apiVersion":"claimbridge.dev/v1","controller":"c.example.com","kind":"ControlPlaneClaim"}}}`

func TestForgedSpecsAreRefused(t *testing.T) {
	old := oldClaim{Spec: read[v1alpha3.ResourceClaimSpec](t, `{"devices":{"requests":[{"name":"a","deviceClassName":"c"}],"constraints":[{"matchAttribute":"d/a"}]},"controller":"c.example.com"}`)}
	for name, left := range map[string]string{
		"nothing":                  `{}`,
		"another class":            `{"requests":[{"item":{"name":"a","deviceClassName":"x","capacity":{}}}]}`,
		"another request":          `{"requests":[{"native":0},{"item":{"name":"b","capacity":{}}}]}`,
		"a request of no list":     `{"requests":[{"native":1}]}`,
		"a request twice":          `{"requests":[{"native":0},{"native":0}]}`,
		"no constraint":            `{"constraints":[{"item":{"distinctAttribute":"d/b"}}]}`,
		"no place":                 `{"controllerAt":1}`,
		"a place before the first": `{"controllerAt":-1}`,
	} {
		t.Run(name, func(t *testing.T) {
			if err := read[LaterSpec](t, left).check(old); err == nil {
				t.Error("it is taken")
			}
		})
	}
	if err := (&LaterSpec{}).check(oldClaim{}); err == nil {
		t.Error("it is taken for no spec")
	}
}

func TestStatusesGoDownByTheTable(t *testing.T) {
	const result = `{"request":"r","driver":"d","pool":"p","device":"x"}`
	controlled := text(t, upStatus(read[v1alpha3.ResourceClaimStatus](t, `{"allocation":{"devices":{"results":[`+result+`]},"controller":"c.example.com"}}`), nil, false))
	for name, test := range map[string]struct {
		new, old, left string
		unused         int
	}{
		"a result":                {`{"allocation":{"devices":{"results":[` + result + `]}}}`, `{"allocation":{"devices":{"results":[` + result + `]}}}`, `null`, 0},
		"a share":                 {`{"allocation":{"devices":{"results":[{"request":"r","driver":"d","pool":"p","device":"x","shareID":"s"}]}}}`, `{"allocation":{"devices":{"results":[` + result + `]}}}`, `{"results":[{"item":{"request":"r","driver":"d","pool":"p","device":"x","shareID":"s"}}]}`, 0},
		"a time":                  {`{"allocation":{"devices":{"results":[` + result + `]},"allocationTimestamp":"2026-01-02T03:04:05Z"}}`, `{"allocation":{"devices":{"results":[` + result + `]}}}`, `{"allocationTimestamp":"2026-01-02T03:04:05Z"}`, 0},
		"a request to deallocate": {`{"allocation":{},"claimbridgeDeallocationRequested":true}`, `{"allocation":{},"deallocationRequested":true}`, `null`, 0},
		"a controller":            {controlled, `{"allocation":{"devices":{"results":[` + result + `]},"controller":"c.example.com"}}`, `null`, 0},
		"devices and shares": {`{"devices":[{"driver":"d","pool":"p","device":"x","shareID":"s"},{"driver":"d","pool":"p","device":"y"}]}`,
			`{"devices":[{"driver":"d","pool":"p","device":"y"}]}`, `{"shares":[{"at":0,"device":{"driver":"d","pool":"p","device":"x","shareID":"s"}}]}`, 0},
		"a controller of another allocation": {`{"allocation":{"devices":{"config":[` + otherController + `]}}}`, `{"allocation":{"devices":{"config":[` + otherController + `]}}}`, `null`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			new := read[v1.ResourceClaimStatus](t, test.new)
			before := text(t, new)
			old, left, unused := downStatus(new, false, false)
			if got := text(t, old); got != test.old {
				t.Errorf("it becomes\n%s, not\n%s", got, test.old)
			}
			if got := text(t, left); got != test.left {
				t.Errorf("left over is\n%s, not\n%s", got, test.left)
			}
			if len(unused) != test.unused {
				t.Errorf("not used: %v", unused)
			}
			if diff := cmp.Diff(before, text(t, upStatus(old, left, false))); diff != "" {
				t.Errorf("back (-want +got): %s", diff)
			}
		})
	}
}

const otherController = `{"source":"FromClass","opaque":{"driver":"claimbridge.dev","parameters":{"apiVersion":"claimbridge.dev/v1","controller":"c.example.com","digest":"00","kind":"ControlPlaneAllocation"}}}`

// A report that a driver made meanwhile moves those of shares, and loses none.
func TestSharesStayWhenOtherDevicesAreReported(t *testing.T) {
	left := read[LaterStatus](t, `{"shares":[{"at":0,"device":{"driver":"d","pool":"p","device":"x","shareID":"s"}},{"at":5,"device":{"driver":"d","pool":"p","device":"x","shareID":"t"}}]}`)
	old := read[v1alpha3.ResourceClaimStatus](t, `{"devices":[{"driver":"d","pool":"p","device":"y"}]}`)
	var got []string
	for _, d := range upStatus(old, left, false).Devices {
		id := "-"
		if d.ShareID != nil {
			id = *d.ShareID
		}
		got = append(got, d.Device+" "+id)
	}
	if diff := cmp.Diff([]string{"x s", "y -", "x t"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestForgedStatusesAreRefused(t *testing.T) {
	old := read[v1alpha3.ResourceClaimStatus](t, `{"allocation":{"devices":{"results":[{"request":"r","driver":"d","pool":"p","device":"x"}]},"controller":"c.example.com"}}`)
	for name, left := range map[string]string{
		"another device":      `{"results":[{"item":{"request":"r","driver":"d","pool":"p","device":"y","shareID":"s"}}]}`,
		"another result":      `{"results":[{"native":0},{"item":{"request":"r","driver":"d","pool":"p","device":"y"}}]}`,
		"a result twice":      `{"results":[{"native":0},{"native":0}]}`,
		"no place":            `{"controllerAt":1}`,
		"a share of no place": `{"shares":[{"at":-1,"device":{"driver":"d","pool":"p","device":"x","shareID":"s"}}]}`,
		"no share":            `{"shares":[{"at":0,"device":{"driver":"d","pool":"p","device":"x"}}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			if err := read[LaterStatus](t, left).check(old); err == nil {
				t.Error("it is taken")
			}
		})
	}
}
