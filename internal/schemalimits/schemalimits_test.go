package schemalimits

import (
	"os"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestCount(t *testing.T) {
	for text, want := range map[string]Counts{
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
		if got := Count([]byte(text)); got != want {
			t.Errorf("%s: got %+v, want %+v", text, got, want)
		}
	}
}

// controller-gen writes this pattern into the schemas.
func TestQuantityPatternMatchesTheSchema(t *testing.T) {
	definition := must.Get(os.ReadFile("../../config/crd/bases/resource.k8s.io_resourceclaims.yaml"))(t)
	const number = `(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))`
	const pattern = `^` + number + `(([KMGTPE]i)|[numkMGTPE]|([eE]` + number + `))?$`
	if !strings.Contains(string(definition), "pattern: "+pattern+"\n") {
		t.Error("the schema has another pattern for quantities: change the variable quantity")
	}
}

// No validation rule limits a field of a request that every release drops by default, so the package must count it.
func TestFieldsThatAreOffInEveryReleaseAreCounted(t *testing.T) {
	for _, f := range api.Fields() {
		_, name, _ := strings.Cut(f.Path, "spec.devices.requests.")
		name = strings.TrimPrefix(name, "firstAvailable.")
		if name == "" || f.Gate == "" || f.OnSince != "" {
			continue
		}
		if got := Count([]byte(`{"` + name + `":[{}]}`)); got == (Counts{}) {
			t.Errorf("%s has a feature gate that is off by default, and is not counted", f.Path)
		}
	}
}

func TestTooMany(t *testing.T) {
	for want, v := range map[string]Counts{
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
