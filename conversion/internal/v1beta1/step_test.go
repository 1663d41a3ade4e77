package v1beta1

import (
	"encoding/json"
	"testing"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/api/v1beta1"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
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
	for name, test := range map[string]struct {
		new, old string
		all      bool // of it comes back
	}{
		"a request":    {`{"requests":[{"name":"a","deviceClassName":"c","adminAccess":false}]}`, `{"devices":{"requests":[{"name":"a","deviceClassName":"c","adminAccess":false}]}}`, true},
		"alternatives": {`{"requests":[{"name":"a","firstAvailable":[{"name":"b","deviceClassName":"c"}]}]}`, `{"devices":{"requests":[{"name":"a","firstAvailable":[{"name":"b","deviceClassName":"c"}]}]}}`, true},
		"capacity":     {`{"requests":[{"name":"a","capacity":{"requests":{"m":"1Gi"}}},{"name":"b"}]}`, `{"devices":{"requests":[{"name":"a"},{"name":"b"}]}}`, false},
		"of an alternative": {`{"requests":[{"name":"a","firstAvailable":[{"name":"b","capacity":{}}]}]}`, `{"devices":{"requests":[{"name":"a","firstAvailable":[{"name":"b"}]}]}}`,
			false},
		"derived":           {`{"requests":[{"name":"a","derivedAttributes":[{"name":"d/x","expression":"1"}]}]}`, `{"devices":{"requests":[{"name":"a"}]}}`, false},
		"no effect":         {`{"requests":[{"name":"a","tolerations":[{"key":"k","effect":"None"},{"key":"l"}]}]}`, `{"devices":{"requests":[{"name":"a","tolerations":[{"key":"l"}]}]}}`, false},
		"a difference":      {`{"constraints":[{"matchAttribute":"d/a"},{"distinctAttribute":"d/b"}]}`, `{"devices":{"constraints":[{"matchAttribute":"d/a"}]}}`, false},
		"both":              {`{"constraints":[{"matchAttribute":"d/a","distinctAttribute":"d/b"}]}`, `{"devices":{"constraints":[{"matchAttribute":"d/a"}]}}`, false},
		"a controller":      {`{"config":[{"opaque":{"driver":"d","parameters":{}}},` + controllerEntry + `]}`, `{"devices":{"config":[{"opaque":{"driver":"d","parameters":{}}}]},"controller":"c.example.com"}`, true},
		"it is not last":    {`{"config":[` + controllerEntry + `,{"opaque":{"driver":"d","parameters":{}}}]}`, `{"devices":{"config":[{"opaque":{"driver":"d","parameters":{}}}]},"controller":"c.example.com"}`, false},
		"it is there twice": {`{"config":[` + controllerEntry + `,` + controllerEntry + `]}`, `{"devices":{"config":[` + controllerEntry + `]},"controller":"c.example.com"}`, true},
		"it names nobody": {`{"config":[{"opaque":{"driver":"claimbridge.dev","parameters":{"apiVersion":"claimbridge.dev/v1","controller":"","kind":"ControlPlaneClaim"}}}]}`,
			`{"devices":{"config":[{"opaque":{"driver":"claimbridge.dev","parameters":{"apiVersion":"claimbridge.dev/v1","controller":"","kind":"ControlPlaneClaim"}}}]}}`, true},
		"for a request": {`{"config":[{"requests":["r"],` + controllerEntry[1:] + `]}`, `{"devices":{"config":[{"requests":["r"],` + controllerEntry[1:] + `]}}`, true},
	} {
		t.Run(name, func(t *testing.T) {
			new := &v1beta1.ResourceClaimSpec{Devices: *read[v1beta1.DeviceClaim](t, test.new)}
			before := text(t, new)
			old := downSpec(new, chain.Form{})
			if got := text(t, old); got != test.old {
				t.Errorf("it becomes\n%s, not\n%s", got, test.old)
			}
			if got := text(t, upSpec(old, chain.Form{})); (got == before) != test.all {
				t.Errorf("back is\n%s, of\n%s", got, before)
			}
			if after := text(t, new); after != before {
				t.Errorf("the spec itself was changed: %s", after)
			}
		})
	}
}

const controllerEntry = `{"opaque":{"driver":"claimbridge.dev","parameters":{"apiVersion":"claimbridge.dev/v1","controller":"c.example.com","kind":"ControlPlaneClaim"}}}`

func TestStatusesGoDownByTheTable(t *testing.T) {
	const result = `{"request":"r","driver":"d","pool":"p","device":"x"}`
	controlled := text(t, upStatus(read[v1alpha3.ResourceClaimStatus](t, `{"allocation":{"devices":{"results":[`+result+`]},"controller":"c.example.com"}}`), chain.Form{}))
	for name, test := range map[string]struct {
		new, old string
		all      bool // of it comes back
	}{
		"a result":                {`{"allocation":{"devices":{"results":[` + result + `]}}}`, `{"allocation":{"devices":{"results":[` + result + `]}}}`, true},
		"a share":                 {`{"allocation":{"devices":{"results":[{"request":"r","driver":"d","pool":"p","device":"x","shareID":"s"}]}}}`, `{"allocation":{"devices":{"results":[` + result + `]}}}`, false},
		"a time":                  {`{"allocation":{"devices":{"results":[` + result + `]},"allocationTimestamp":"2026-01-02T03:04:05Z"}}`, `{"allocation":{"devices":{"results":[` + result + `]}}}`, false},
		"a request to deallocate": {`{"allocation":{},"claimbridgeDeallocationRequested":true}`, `{"allocation":{},"deallocationRequested":true}`, true},
		"a controller":            {controlled, `{"allocation":{"devices":{"results":[` + result + `]},"controller":"c.example.com"}}`, true},
		"devices and shares": {`{"devices":[{"driver":"d","pool":"p","device":"x","shareID":"s"},{"driver":"d","pool":"p","device":"y"}]}`,
			`{"devices":[{"driver":"d","pool":"p","device":"y"}]}`, false},
		"a controller of another allocation": {`{"allocation":{"devices":{"config":[` + otherController + `]}}}`, `{"allocation":{"devices":{"config":[` + otherController + `]}}}`, true},
	} {
		t.Run(name, func(t *testing.T) {
			new := read[v1.ResourceClaimStatus](t, test.new)
			before := text(t, new)
			old := downStatus(new, chain.Form{})
			if got := text(t, old); got != test.old {
				t.Errorf("it becomes\n%s, not\n%s", got, test.old)
			}
			if got := text(t, upStatus(old, chain.Form{})); (got == before) != test.all {
				t.Errorf("back is\n%s, of\n%s", got, before)
			}
		})
	}
}

const otherController = `{"source":"FromClass","opaque":{"driver":"claimbridge.dev","parameters":{"apiVersion":"claimbridge.dev/v1","controller":"c.example.com","digest":"00","kind":"ControlPlaneAllocation"}}}`
