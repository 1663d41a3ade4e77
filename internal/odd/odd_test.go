package odd

import (
	"os"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestIn(t *testing.T) {
	for text, want := range map[string]Values{
		`{"devices":{"requests":[null,{"tolerations":[null,{}],"selectors":null}]}}`: {
			Nulls: 2,
		},
		`{"capacity":{"requests":{"a":1.5,"b":"+","c":"Ki","d":" 1","e":9223372036854775808,"f":true,"g":{}}}}`: {
			Quantities: 7, Capacities: 7,
		},
		`{"capacity":{"requests":{"a":1000000000000000000,"b":"1.5","c":".5Gi","d":"1e-3","e":-9}}}`: {
			Capacities: 5,
		},
		`{"c\u0061pacity":{"requests":{"a":1.5}},"requests":{"a":1.5}}`: {
			Quantities: 1, Capacities: 1,
		},
		`{"exactly":{"derivedAttributes":[{},{"name":"a"},1]}}`: {
			Derived: 2,
		},
		`{"opaque":{"parameters":{"l":[null],"capacity":{"requests":{"a":1.5}},"derivedAttributes":[{}]}}}`: {},
		`{"capacity":{"requests":[1.5]}}`: {},
		`{"a":[null`: {
			Nulls: 1,
		},
		``: {},
	} {
		if got := In([]byte(text)); got != want {
			t.Errorf("%s: got %+v, want %+v", text, got, want)
		}
	}
}

// TestQuantitiesAreThoseOfTheSchema: whoever generates the schemas writes this pattern.
func TestQuantitiesAreThoseOfTheSchema(t *testing.T) {
	definition := must.Get(os.ReadFile("../../config/crd/bases/resource.k8s.io_resourceclaims.yaml"))(t)
	const number = `(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))`
	const pattern = `^` + number + `(([KMGTPE]i)|[numkMGTPE]|([eE]` + number + `))?$`
	if !strings.Contains(string(definition), "pattern: "+pattern+"\n") {
		t.Error("quantities have another pattern now: say so in isQuantity")
	}
}

// TestWhatNoReleaseHasByDefaultIsCounted: of a field of a spec that every release drops by default
// no rule says anything.
func TestWhatNoReleaseHasByDefaultIsCounted(t *testing.T) {
	for _, f := range api.Fields() {
		_, name, _ := strings.Cut(f.Path, "spec.devices.requests.")
		name = strings.TrimPrefix(name, "firstAvailable.")
		if name == "" || f.Gate == "" || f.OpenFrom != "" {
			continue
		}
		if got := In([]byte(`{"` + name + `":[{}]}`)); got == (Values{}) {
			t.Errorf("%s stands behind a gate that is off, and nothing counts it", f.Path)
		}
	}
}

func TestTooMany(t *testing.T) {
	for want, v := range map[string]Values{
		"": {
			Nulls: maxItems, Quantities: maxQuantities, Derived: maxItems, Capacities: maxCapacities,
		},
		"129 items of lists":     {Nulls: maxItems + 1},
		"17 quantities":          {Quantities: maxQuantities + 1},
		"129 derived attributes": {Derived: maxItems + 1},
		"8193 capacities":        {Capacities: maxCapacities + 1},
	} {
		if got := v.TooMany(); !strings.HasPrefix(got, want) || (got == "") != (want == "") {
			t.Errorf("%+v: %q, want %q", v, got, want)
		}
	}
}
