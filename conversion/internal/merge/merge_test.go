package merge

import (
	"reflect"
	"strings"
	"testing"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// A status is stored (live), a version shows of it what it can say (was), and a client writes that with changes (is).
func TestMerge(t *testing.T) {
	const first, second = `{"driver":"d","pool":"p","device":"x"}`, `{"driver":"d","pool":"p","device":"y"}`
	const share = `{"driver":"d","pool":"p","device":"x","shareID":"5c1b4c3e"}` // which v1alpha3 has no field for
	const p = `{"resource":"pods","name":"p","uid":"1"}`
	const q = `{"resource":"pods","name":"q","uid":"2"}`
	const z = `{"resource":"pods","name":"z","uid":"3"}`
	devices := func(items ...string) string { return `{"devices":[` + strings.Join(items, ",") + `]}` }
	consumers := func(items ...string) string { return `{"reservedFor":[` + strings.Join(items, ",") + `]}` }
	consumed := func(quantity, more string) string {
		return `{"allocation":{"devices":{"results":[{"request":"r","consumedCapacity":{"m":"` + quantity + `"}` +
			more + `}]}},"reservedFor":[]}`
	}
	const hiddenCondition, newCondition = `{"type":"Later"}`, `{"type":"Ready"}`
	conditions := func(items ...string) string {
		list := ""
		if len(items) > 0 {
			list = `,"conditions":[` + strings.Join(items, ",") + `]`
		}
		return devices(strings.TrimSuffix(first, "}") + list + "}")
	}
	data := func(value string) string {
		return devices(`{"driver":"d","pool":"p","device":"x","data":` + value +
			`,"conditions":[{"type":"Ready","lastTransitionTime":"2026-01-01T00:00:00Z"}]}`)
	}
	for name, test := range map[string]struct{ live, was, is, want string }{
		"a consumer comes and one goes": {
			consumers(p, q), consumers(p, q), consumers(p, z), consumers(p, z),
		},
		"what is not shown stays": {
			devices(first, share), devices(first), devices(second, first), devices(second, first, share),
		},
		"behind the item before it": {
			devices(first, share, second), devices(first, second), devices(second, first),
			devices(second, first, share),
		},
		"in its place among what follows": {
			devices(share, first, second), devices(first, second), devices(second), devices(share, second),
		},
		"and at the end when that one is gone": {
			devices(first, share, second), devices(first, second), devices(second), devices(second, share),
		},
		"items that are twice there are as written": {
			devices(first, share, first), devices(first, first), devices(first, first, second),
			devices(first, first, second),
		},
		"a list that is gone": {
			`{"reservedFor":[` + p + `],"devices":[` + first + `]}`,
			`{"reservedFor":[` + p + `],"devices":[` + first + `]}`,
			devices(first),
			devices(first),
		},
		"a member that was never shown": {
			`{"allocation":{"devices":{}},"reservedFor":[` + p + `]}`,
			consumers(p),
			consumers(p, q),
			`{"allocation":{"devices":{}},"reservedFor":[` + p + "," + q + `]}`,
		},
		"an allocation changes as a whole": {
			`{"allocation":{"devices":{"results":[{"request":"r","later":1}]}}}`,
			`{"allocation":{"devices":{"results":[{"request":"r"}]}}}`,
			`{"allocation":{"devices":{}}}`,
			`{"allocation":{"devices":{}}}`,
		},
		"a first visible item is added": {
			live: devices(share), was: `{}`, is: devices(second), want: devices(share, second),
		},
		"a first visible item is added to an empty list": {
			live: devices(share), was: devices(), is: devices(second), want: devices(share, second),
		},
		"the last visible item is removed": {
			live: devices(first, share), was: devices(first), is: `{}`, want: devices(share),
		},
		"the last visible item is removed and the list is empty": {
			live: devices(first, share), was: devices(first), is: devices(), want: devices(share),
		},
		"the last visible item is removed and the list is null": {
			live: devices(share, first), was: devices(first), is: `{"devices":null}`, want: devices(share),
		},
		"the last item is removed": {
			live: devices(first), was: devices(first), is: devices(), want: `{}`,
		},
		"a first consumer is added, another is not visible": {
			live: consumers(p), was: `{}`, is: consumers(q), want: consumers(p, q),
		},
		"the last visible consumer is removed": {
			live: consumers(p, q), was: consumers(q), is: `{}`, want: consumers(p),
		},
		"a first visible condition is added": {
			live: conditions(hiddenCondition), was: conditions(), is: conditions(newCondition),
			want: conditions(hiddenCondition, newCondition),
		},
		"the last visible condition is removed": {
			live: conditions(hiddenCondition, newCondition), was: conditions(newCondition), is: conditions(),
			want: conditions(hiddenCondition),
		},
		"an item keeps what is not shown of it": {
			devices(`{"driver":"d","pool":"p","device":"x","data":{"a":1},"conditions":[]}`),
			devices(first),
			devices(`{"driver":"d","pool":"p","device":"x","networkData":{}}`),
			devices(`{"driver":"d","pool":"p","device":"x","data":{"a":1},"conditions":[],"networkData":{}}`),
		},
		"quantities are compared as amounts": {
			consumed("1024Mi", `,"later":1`),
			consumed("1024Mi", ""),
			strings.Replace(consumed("1Gi", ""), "[]", "["+p+"]", 1),
			strings.Replace(consumed("1024Mi", `,"later":1`), "[]", "["+p+"]", 1),
		},
		"another amount is another": {
			consumed("1024Mi", `,"later":1`), consumed("1024Mi", ""), consumed("1025Mi", ""),
			consumed("1025Mi", ""),
		},
		"numbers are compared by all digits": {
			data(`{"n":12345678901234567890}`), data(`{"n":12345678901234567890}`),
			data(`{"n":12345678901234567891}`), data(`{"n":12345678901234567891}`),
		},
		"which may be written in other ways": {
			data(`{"n":12345678901234567890}`),
			data(`{"n":12345678901234567890}`),
			strings.Replace(data(`{"n":1.2345678901234567890E+19}`), "]}", `],"networkData":{"hardwareAddress":"a"}}`,
				1),
			"",
		},
		"times are compared as instants, in one zone": {
			data("1"),
			data("1"),
			strings.Replace(data("2"), "2026-01-01T00:00:00Z", "2026-01-01T01:00:00+01:00", 1),
			data("2"),
		},
		"another instant is another time": {
			data("1"),
			data("1"),
			strings.Replace(data("1"), "2026-01-01T00:00:00Z", "2026-01-01T00:00:00+01:00", 1),
			strings.Replace(data("1"), "2026-01-01T00:00:00Z", "2026-01-01T00:00:00+01:00", 1),
		},
		"a text of the same digits is no number either": {data("12"), data("12"), data(`"12"`), data(`"12"`)},
	} {
		if test.want == "" { // another member of the item changes
			test.want = strings.Replace(test.live, "]}", `],"networkData":{"hardwareAddress":"a"}}`, 1)
		}
		shape := ShapeOf(reflect.TypeFor[v1.ResourceClaimStatus]()).Whole("allocation")
		if Same(shape, []byte(test.was), []byte(test.is)) {
			t.Errorf("%s: nothing changes", name)
		}
		if got := Merge(nil, shape, []byte(test.live), []byte(test.was), []byte(test.is)); string(got) != test.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, test.want)
		}
	}
}
