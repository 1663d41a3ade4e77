package conversion

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// What a class cannot say of a spec comes back, each thing by itself.
func TestWhatAClassCannotSayComesBack(t *testing.T) {
	const request, entry = `{"name":"claim","deviceClassName":"c","allocationMode":"ExactCount","count":1}`, `{"opaque":{"driver":"d","parameters":{"a":1}}}`
	const ours = `{"opaque":{"driver":"claimbridge.dev","parameters":{"allocationMode":"Immediate","apiVersion":"claimbridge.dev/v1","kind":"ClassicClaimSpec"}}}`
	for name, test := range map[string]struct {
		spec  string
		plain bool
	}{
		"nothing":                         {`{"devices":{"requests":[` + request + `]}}`, true},
		"an entry of ours":                {`{"devices":{"requests":[` + request + `],"config":[` + ours + `]}}`, true},
		"constraints":                     {`{"devices":{"requests":[` + request + `],"constraints":[{"matchAttribute":"a/b"}]}}`, false},
		"configuration":                   {`{"devices":{"requests":[` + request + `],"config":[` + entry + `]}}`, false},
		"a controller":                    {`{"devices":{"requests":[` + request + `]},"controller":"c.example.com"}`, false},
		"no requests":                     {`{"devices":{}}`, false},
		"two requests":                    {`{"devices":{"requests":[` + request + `,{"name":"b","deviceClassName":"c","allocationMode":"ExactCount","count":1}]}}`, false},
		"another name":                    {`{"devices":{"requests":[` + strings.Replace(request, `"claim"`, `"b"`, 1) + `]}}`, false},
		"no class":                        {`{"devices":{"requests":[` + strings.Replace(request, `"c"`, `""`, 1) + `]}}`, false},
		"all devices":                     {`{"devices":{"requests":[` + strings.Replace(request, `"ExactCount","count":1`, `"All"`, 1) + `]}}`, false},
		"two devices":                     {`{"devices":{"requests":[` + strings.Replace(request, `1}`, `2}`, 1) + `]}}`, false},
		"selectors":                       {`{"devices":{"requests":[` + strings.Replace(request, `}`, `,"selectors":[{"cel":{"expression":"true"}}]}`, 1) + `]}}`, false},
		"the right of an administrator":   {`{"devices":{"requests":[` + strings.Replace(request, `}`, `,"adminAccess":true}`, 1) + `]}}`, false},
		"an entry of ours before another": {`{"devices":{"requests":[` + request + `],"config":[` + ours + `,` + entry + `]}}`, false},
		"an entry of ours between two":    {`{"devices":{"requests":[` + request + `],"config":[` + entry + `,` + ours + `,` + entry + `]}}`, false},
		"an entry of ours behind another": {`{"devices":{"requests":[` + request + `],"config":[` + entry + `,` + ours + `]}}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			object := `{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{"name":"a","uid":"u"},"spec":` + test.spec + `}`
			old, _ := converted(t, []byte(object), "v1alpha2", Options{})
			if plain := !strings.Contains(string(old), "not-in"); plain != test.plain {
				t.Errorf("nothing is left over: %v", plain)
			}
			back, _ := converted(t, old, "v1alpha3", Options{})
			if got, want := string(encode(typed(t, back))), string(encode(typed(t, []byte(object)))); got != want {
				t.Errorf("came back as\n%s, not\n%s", got, want)
			}
		})
	}
}

// What a classic allocation says stays in its place, and what no client of old could have written is shown as one that it
// could.
func TestAllocationsComeBack(t *testing.T) {
	rest := v1alpha3.AllocationResult{Controller: "d"}
	rest.Devices.Results = []v1alpha3.DeviceRequestAllocationResult{{Request: "claim", Driver: "d", Pool: domain, Device: "handle-0"}}
	another := entryFrom("FromClaim", "d", `{"a":1}`)
	with := func(rest v1alpha3.AllocationResult, at int, says string) v1alpha3.AllocationResult {
		entry := entryFrom("FromClass", domain, `{"apiVersion":"claimbridge.dev/v1","digest":"`+(&room{}).digest(&rest)+`",`+says+`}`)
		rest.Devices.Config = slices.Insert(slices.Clone(rest.Devices.Config), at, entry)
		return rest
	}
	const exclusive, driver = `"kind":"ClassicAllocation","shareable":false`, `"driverName":"e","kind":"ClassicAllocation"`
	beside := rest
	beside.Devices.Config = []v1alpha3.DeviceAllocationConfiguration{another, another}
	odd := rest
	odd.Controller, odd.Devices.Results = "-", []v1alpha3.DeviceRequestAllocationResult{{Request: "claim", Driver: "-", Pool: domain, Device: "handle-0"}}
	second := rest
	second.Devices.Results = []v1alpha3.DeviceRequestAllocationResult{{Request: "claim", Driver: "d", Pool: domain, Device: "none"}}
	stale := with(rest, 0, exclusive)
	stale.Controller = "other"
	const one, two = `{"resource":"pods","name":"p","uid":"1"}`, `{"resource":"pods","name":"p","uid":"1"},{"resource":"pods","name":"q","uid":"2"}`
	for name, test := range map[string]struct {
		allocation v1alpha3.AllocationResult
		consumers  string
		fragment   bool
		shareable  bool
		stale      bool
	}{
		"plain":                               {rest, one, false, true, false},
		"for one consumer":                    {with(rest, 0, exclusive), one, false, false, false},
		"for one consumer, though two are":    {with(rest, 0, exclusive), two, false, true, false},
		"of another driver, for two":          {with(rest, 0, driver), two, false, true, false},
		"of another driver, in a fragment":    {with(rest, 0, driver), two, true, false, false},
		"an entry before others":              {with(beside, 0, exclusive), one, false, false, false},
		"an entry between others":             {with(beside, 1, exclusive), one, false, false, false},
		"an entry behind others":              {with(beside, 2, exclusive), one, false, false, false},
		"names that no version takes":         {with(odd, 0, exclusive), one, false, false, false},
		"for a request that is not the first": {second, one, false, true, false},
		"an entry of another allocation":      {stale, one, false, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			named := `"name":"a","uid":"u"`
			if test.fragment {
				named = ``
			}
			object := fmt.Appendf(nil, `{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{%s},"spec":{"devices":{"requests":[`+
				`{"name":"other","deviceClassName":"c","allocationMode":"ExactCount","count":1},{"name":"claim","deviceClassName":"c","allocationMode":"ExactCount","count":1}]}},`+
				`"status":{"allocation":%s,"reservedFor":[%s]}}`, named, kjson.Marshal(&test.allocation), test.consumers)
			for _, files := range []bool{false, true} {
				old, report := converted(t, object, "v1alpha2", Options{AnnotationsOnly: files})
				if shareable := typed(t, old).(*v1alpha2.ResourceClaim).Status.Allocation.Shareable; shareable != test.shareable || len(report.Stale) > 0 != test.stale {
					t.Errorf("shareable: %v, stale %q", shareable, report.Stale)
				}
				if test.allocation.Controller == odd.Controller {
					continue // nobody can write it
				}
				back, _ := converted(t, old, "v1alpha3", Options{AnnotationsOnly: files})
				if got, want := statusText(t, back), statusText(t, encode(typed(t, object))); got != want {
					t.Errorf("came back as\n%s, not\n%s", got, want)
				}
			}
		})
	}
}

// In a fragment a mode that is the default is still somebody's.
func TestAFragmentKeepsTheDefaultMode(t *testing.T) {
	object := `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{%s},"spec":{"allocationMode":"WaitForFirstConsumer"}}`
	for named, kept := range map[string]bool{``: true, `"name":"a"`: false} {
		if up, _ := converted(t, fmt.Appendf(nil, object, named), "v1alpha3", Options{}); strings.Contains(string(up), kindClassicSpec) != kept {
			t.Errorf("with metadata {%s}: %s", named, up)
		}
	}
}

func TestTheHandleOfAClaimIsThatOfItsDriver(t *testing.T) {
	structured := v1alpha2.ResourceHandle{DriverName: "d", StructuredData: &v1alpha2.StructuredResourceHandle{}}
	mine, other, nobodys := v1alpha2.ResourceHandle{DriverName: "d", Data: "x"}, v1alpha2.ResourceHandle{DriverName: "e", Data: "y"}, v1alpha2.ResourceHandle{Data: "z"}
	for name, test := range map[string]struct {
		handles []v1alpha2.ResourceHandle
		want    string
	}{
		"its own":                 {[]v1alpha2.ResourceHandle{mine}, "x"},
		"its own behind another":  {[]v1alpha2.ResourceHandle{other, mine}, "x"},
		"behind structured data":  {[]v1alpha2.ResourceHandle{structured, mine}, "x"},
		"another's":               {[]v1alpha2.ResourceHandle{other}, ""},
		"nobody's alone":          {[]v1alpha2.ResourceHandle{nobodys}, "z"},
		"nobody's beside another": {[]v1alpha2.ResourceHandle{nobodys, mine}, "x"},
	} {
		if got := handleFor("d", test.handles); got != test.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestEntryKind(t *testing.T) {
	for parameters, want := range map[string]string{
		`{"apiVersion":"claimbridge.dev/v1","kind":"X"}`:                     "X",
		`{"kind":"X","more":{"kind":"Y"},"apiVersion":"claimbridge.dev/v1"}`: "X",
		`{"apiVersion":"claimbridge.dev/v1","\u006bind":"X"}`:                "X",
		`{"apiVersion":"\u0063laimbridge.dev/v1","kind":"X"}`:                "X",
		`{"apiVersion":"claimbridge.dev/v2","kind":"X"}`:                     "",
		`{"apiVersion":"claimbridge.dev/v1","kind":"X","kind":"Y"}`:          "",
		`{"apiVersion":"claimbridge.dev/v1","kind":"` + "\xff" + `"}`:        "",
		`{"apiVersion":"claimbridge.dev/v1","kind":"X"`:                      "",
		`{"apiVersion":"claimbridge.dev/v1","kind":1}`:                       "",
	} {
		o := &v1alpha3.OpaqueDeviceConfiguration{}
		o.Parameters.Raw = []byte(parameters)
		if got := entryKind(o); got != want {
			t.Errorf("%q is of kind %q", parameters, got)
		}
	}
}

// The API of v1alpha2 allows no claim without a class.
func TestEveryClaimHasAClass(t *testing.T) {
	for devices, classes := range map[string][2]string{
		`{}`:                          {domain, ""},
		`{"requests":[{"name":"a"}]}`: {domain, ""},
		`{"requests":[{"name":"a","deviceClassName":"c"}]}`: {"c", "c"},
	} {
		for i, named := range []string{`"name":"a"`, ``} {
			object := `{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{` + named + `},"spec":{"devices":` + devices + `}}`
			old, _ := converted(t, []byte(object), "v1alpha2", Options{})
			if got := typed(t, old).(*v1alpha2.ResourceClaim).Spec.ResourceClassName; got != classes[i] {
				t.Errorf("%s: class %q, want %q", object, got, classes[i])
			}
		}
	}
}

// A digest knows the default mode, so a client that leaves it out has edited nothing.
func TestLeavingOutADefaultIsNoEdit(t *testing.T) {
	old, _ := converted(t, []byte(allocatedAll), "v1alpha2", Options{})
	without := strings.Replace(string(old), `,"allocationMode":"WaitForFirstConsumer"`, "", 1)
	if without == string(old) {
		t.Fatalf("no mode in %s", old)
	}
	if up, report := converted(t, []byte(without), "v1alpha3", Options{}); len(report.Ignored) > 0 || !strings.Contains(string(up), `"gpus"`) {
		t.Errorf("ignored %q: %s", report.Ignored, up)
	}
}

// A room is used again: nothing of one allocation is read in the next one.
func TestNoAllocationReadsTheDataOfAnother(t *testing.T) {
	r := &room{}
	one := v1alpha3.AllocationResult{}
	one.Devices.Results = []v1alpha3.DeviceRequestAllocationResult{{Request: "claim", Driver: "d", Pool: domain, Device: "handle-0"}, {Request: "claim", Driver: "d", Pool: "n", Device: "x"}}
	two := one
	one.Devices.Config = []v1alpha3.DeviceAllocationConfiguration{
		entryFrom("FromClass", domain, `{"apiVersion":"claimbridge.dev/v1","data":"secret","device":"handle-0","driver":"d","kind":"ResourceHandle"}`),
		entryFrom("FromClass", "d", `{"secret":1}`),
	}
	if got := fmt.Sprint(handlesSay(nativeAllocationDown(r, &one, true).Allocation.ResourceHandles)); strings.Count(got, "secret") != 2 {
		t.Fatalf("handles %s", got)
	}
	if got := fmt.Sprint(handlesSay(nativeAllocationDown(r, &two, true).Allocation.ResourceHandles)); strings.Contains(got, "secret") {
		t.Errorf("handles %s", got)
	}
}

// What a step is given is not changed.
func TestStepsChangeNothingThatTheyAreGiven(t *testing.T) {
	mode := &classicSpec{AllocationMode: "Immediate", APIVersion: entryAPIVersion, Kind: kindClassicSpec}
	no := false
	claim := func() claimV1alpha3 {
		return claimV1alpha3{Complete: true, room: &room{}, Spec: &v1alpha3.ResourceClaimSpec{}, Status: &v1alpha3.ResourceClaimStatus{Allocation: &v1alpha3.AllocationResult{Controller: "d"}}}
	}
	given := claim()
	only := onlyV1alpha2{spec: mode, specAt: -1, statusAt: -1, status: &classicAllocation{
		APIVersion: entryAPIVersion, Digest: (&room{}).digest(given.Status.Allocation), Kind: kindClassicAllocation, Shareable: &no,
	}}
	stored := v1alpha2ToV1alpha3.store(given, only)
	if string(encode(given.Spec))+string(encode(given.Status)) != string(encode(claim().Spec))+string(encode(claim().Status)) {
		t.Error("store changed what it was given")
	}
	before := string(encode(stored.Spec)) + string(encode(stored.Status))
	if _, taken, _ := v1alpha2ToV1alpha3.take(stored); taken.spec == nil || taken.status == nil {
		t.Error("what was stored is not taken")
	}
	if string(encode(stored.Spec))+string(encode(stored.Status)) != before {
		t.Error("take changed what it was given")
	}
}

// A key of ours on what is stored says nothing of its copies; a part of a step that is there already is replaced.
func TestWhatTravelsIsWrittenAnew(t *testing.T) {
	const stray = `"annotations":{"claimbridge.dev/v1alpha3-not-in-v1alpha2":"stray","claimbridge.dev/v1alpha2-not-in-v1alpha1":"stray"}`
	plain := `{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{"name":"a",` + stray + `},"spec":{"devices":{"requests":[{"name":"claim","deviceClassName":"c"}]}}}`
	if old, _ := converted(t, []byte(plain), "v1alpha1", Options{}); strings.Contains(string(old), "stray") {
		t.Errorf("is still there: %s", old)
	}
	field := `{"v1alpha2-not-in-v1alpha1":{"digest":"","value":null}}`
	two := `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"resourceClassName":"c"},"status":{"driverName":"d",` +
		`"allocation":{"resourceHandles":[{"driverName":"d","data":"x"},{"driverName":"e","data":"y"}]},"claimbridgeLeftover":` + string(kjson.Quote(field)) + `}}`
	old, _ := converted(t, []byte(two), "v1alpha1", Options{})
	if got := leftoverOf(t, old); strings.Count(got, "v1alpha2-not-in-v1alpha1") != 1 || strings.Contains(got, "null") {
		t.Errorf("field %s", got)
	}
}

func TestDefaultsAreSetOnACopy(t *testing.T) {
	given := []v1alpha3.DeviceRequest{{Name: "a"}}
	got := defaultedRequests(&room{}, given)
	if given[0].AllocationMode != "" || got[0].AllocationMode != v1alpha3.DeviceAllocationModeExactCount || got[0].Count != 1 {
		t.Errorf("given %+v, got %+v", given, got)
	}
	if got := defaultedRequests(&room{}, nil); got != nil {
		t.Errorf("no requests became %#v", got)
	}
}

// A part of another spec was broken or forged; a part of another status was beaten by an edit.
func TestWhatIsStaleAndWhatIsIgnored(t *testing.T) {
	for kind, want := range map[string][2]int{"spec": {1, 0}, "status": {0, 1}} {
		part := `{"` + kind + `":{"digest":"00","uid":"u","value":{}}}`
		object := `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"a","uid":"u","annotations":{"claimbridge.dev/v1alpha3-not-in-v1alpha2":` + string(kjson.Quote(part)) + `}},` +
			`"spec":{"resourceClassName":"c"},"status":{"driverName":"d","allocation":{"shareable":true}}}`
		if _, report := converted(t, []byte(object), "v1alpha3", Options{}); len(report.Ignored) != want[0] || len(report.Stale) != want[1] {
			t.Errorf("%s: ignored %q, stale %q", kind, report.Ignored, report.Stale)
		}
	}
}
