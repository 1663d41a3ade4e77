package conversion

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/internal/conversion/hub"
	"github.com/claimbridge/claimbridge/internal/conversion/preserve"
	"github.com/claimbridge/claimbridge/internal/names"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// entryFrom returns an entry of an allocation's configuration.
func entryFrom(source v1alpha3.AllocationConfigSource,
	driver, parameters string,
) v1alpha3.DeviceAllocationConfiguration {
	c := v1alpha3.DeviceAllocationConfiguration{Source: source}
	c.Opaque = &v1alpha3.OpaqueDeviceConfiguration{
		Driver:     driver,
		Parameters: runtime.RawExtension{Raw: []byte(parameters)},
	}
	return c
}

// Data of a classic allocation keeps its place, and data that no old client could have written is visible in a valid
// form.
func TestAllocationsRoundTrip(t *testing.T) {
	rest := v1alpha3.AllocationResult{Controller: "d"}
	rest.Devices.Results = []v1alpha3.DeviceRequestAllocationResult{
		{Request: "claim", Driver: "d", Pool: names.Domain, Device: "handle-0"},
	}
	another := entryFrom("FromClaim", "d", `{"a":1}`)
	with := func(rest v1alpha3.AllocationResult, at int, says string) v1alpha3.AllocationResult {
		entry := entryFrom("FromClass", names.Domain,
			`{"apiVersion":"claimbridge.dev/v1","digest":"`+hub.Digest(&rest)+`",`+says+`}`)
		rest.Devices.Config = slices.Insert(slices.Clone(rest.Devices.Config), at, entry)
		return rest
	}
	const exclusive = `"kind":"ClassicAllocation","shareable":false`
	const driver = `"driverName":"e","kind":"ClassicAllocation"`
	withOthers := rest
	withOthers.Devices.Config = []v1alpha3.DeviceAllocationConfiguration{another, another}
	invalidNames := rest
	invalidNames.Controller = "-"
	invalidNames.Devices.Results = []v1alpha3.DeviceRequestAllocationResult{
		{Request: "claim", Driver: "-", Pool: names.Domain, Device: "handle-0"},
	}
	second := rest
	second.Devices.Results = []v1alpha3.DeviceRequestAllocationResult{
		{Request: "claim", Driver: "d", Pool: names.Domain, Device: "none"},
	}
	stale := with(rest, 0, exclusive)
	stale.Controller = "other"
	const one, two = `{"resource":"pods","name":"p","uid":"1"}`, `{"resource":"pods","name":"p","uid":"1"},` +
		`{"resource":"pods","name":"q","uid":"2"}`
	for name, test := range map[string]struct {
		allocation v1alpha3.AllocationResult
		consumers  string
		fragment   bool
		shareable  bool
	}{
		"plain":                               {rest, one, false, true},
		"for one consumer":                    {with(rest, 0, exclusive), one, false, false},
		"for one consumer, though two are":    {with(rest, 0, exclusive), two, false, true},
		"of another driver, for two":          {with(rest, 0, driver), two, false, true},
		"of another driver, in a fragment":    {with(rest, 0, driver), two, true, false},
		"an entry before others":              {with(withOthers, 0, exclusive), one, false, false},
		"an entry between others":             {with(withOthers, 1, exclusive), one, false, false},
		"an entry after others":               {with(withOthers, 2, exclusive), one, false, false},
		"names that no version accepts":       {with(invalidNames, 0, exclusive), one, false, false},
		"for a request that is not the first": {second, one, false, true},
		"an entry of another allocation":      {stale, one, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			named := `"name":"a","uid":"u"`
			if test.fragment {
				named = ``
			}
			object := fmt.Appendf(nil,
				`{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{%s},`+
					`"spec":{"devices":{"requests":[`+
					`{"name":"other","deviceClassName":"c","allocationMode":"ExactCount","count":1},{"name":"claim",`+
					`"deviceClassName":"c","allocationMode":"ExactCount","count":1}]}},`+
					`"status":{"allocation":%s,"reservedFor":[%s]}}`, named, objectjson.Marshal(&test.allocation), test.consumers)
			for _, files := range []bool{false, true} {
				if files && test.allocation.Controller == invalidNames.Controller {
					if _, _, err := ConvertJSON(object, "v1alpha2", Options{Manifest: true}); err == nil {
						t.Error("a file with names that v1alpha2 does not accept was converted")
					}
					continue
				}
				old, _ := converted(t, object, "v1alpha2", Options{Manifest: files})
				shareable := decodeTyped(t, old).(*v1alpha2.ResourceClaim).Status.Allocation.Shareable
				if shareable != test.shareable {
					t.Errorf("shareable: %v", shareable)
				}
				if test.allocation.Controller == invalidNames.Controller {
					continue // no client can write it
				}
				back, _ := converted(t, old, "v1alpha3", Options{Manifest: files})
				restored := decodeTyped(t, back)
				removePreservedField(restored)
				got := statusText(t, encode(restored))
				want := statusText(t, encode(decodeTyped(t, object)))
				if got != want {
					t.Errorf("came back as\n%s, not\n%s", got, want)
				}
			}
		})
	}
}

// In a fragment, a client set the default mode itself.
func TestFragmentsKeepTheDefaultMode(t *testing.T) {
	object := `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{%s},` +
		`"spec":{"allocationMode":"WaitForFirstConsumer"}}`
	for named, kept := range map[string]bool{``: true, `"name":"a"`: false} {
		up, _ := converted(t, fmt.Appendf(nil, object, named), "v1alpha3", Options{})
		if strings.Contains(string(up), hub.KindClassicSpec) != kept {
			t.Errorf("with metadata {%s}: %s", named, up)
		}
	}
}

// The API of v1alpha2 allows no claim without a class.
func TestEveryClaimHasAClass(t *testing.T) {
	for devices, classes := range map[string][2]string{
		`{}`:                          {names.Domain, ""},
		`{"requests":[{"name":"a"}]}`: {names.Domain, ""},
		`{"requests":[{"name":"a","deviceClassName":"c"}]}`: {
			"c", "c",
		},
		`{"requests":[{"name":"a","firstAvailable":[{"name":"b","deviceClassName":"c"},{"name":"d",` +
			`"deviceClassName":"e"}]}]}`: {
			"c", "c",
		},
		`{"requests":[{"name":"a","firstAvailable":[{"name":"b","deviceClassName":"c"}]}]}`: {
			"c", "c",
		},
	} {
		for i, named := range []string{`"name":"a"`, ``} {
			object := `{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{` + named +
				`},"spec":{"devices":` + devices + `}}`
			old, _ := converted(t, []byte(object), "v1alpha2", Options{})
			if got := decodeTyped(t, old).(*v1alpha2.ResourceClaim).Spec.ResourceClassName; got != classes[i] {
				t.Errorf("%s: class %q, want %q", object, got, classes[i])
			}
		}
	}
}

// A digest includes the default mode, so a client that omits it has edited nothing.
func TestOmittedDefaultsAreNoEdit(t *testing.T) {
	old, _ := converted(t, []byte(allocatedAll), "v1alpha2", Options{})
	without := strings.Replace(string(old), `,"allocationMode":"WaitForFirstConsumer"`, "", 1)
	if without == string(old) {
		t.Fatalf("no mode in %s", old)
	}
	up, report := converted(t, []byte(without), "v1alpha3", Options{})
	if len(report.Ignored) > 0 || !strings.Contains(string(up), `"gpus"`) {
		t.Errorf("ignored %q: %s", report.Ignored, up)
	}
}

// A spec of another object was broken or forged. A status of another claim is stale.
func TestStaleAndIgnoredData(t *testing.T) {
	for _, test := range []struct {
		key, value     string
		ignored, stale int
	}{
		{
			preserve.SpecAnnotation,
			`{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"other","allocationMode":"ExactCount",` +
				`"count":1}}]}}`,
			1,
			0,
		},
		{preserve.SpecAnnotation, `{`, 1, 0},
		{preserve.StatusAnnotation, `{"uid":"other","status":{"allocation":{}}}`, 0, 1},
		{preserve.StatusAnnotation, `{"uid":"u"}`, 1, 0},
	} {
		object := `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"a","uid":"u",` +
			`"annotations":{"` + test.key + `":` + string(objectjson.Quote(test.value)) + `}},` +
			`"spec":{"resourceClassName":"c"},"status":{"driverName":"d","allocation":{"shareable":true}}}`
		_, report := converted(t, []byte(object), Stored(), Options{})
		if len(report.Ignored) != test.ignored || len(report.Stale) != test.stale {
			t.Errorf("%s: ignored %q, stale %q", test.value, report.Ignored, report.Stale)
		}
	}
}
