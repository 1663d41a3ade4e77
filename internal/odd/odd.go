// Package odd counts the values that Go and the rules take, as Kubernetes does, and the schema of a
// custom resource refuses one by one.
package odd

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// An API server compares each error of a schema with each other one. As many items as these cost it 5 ms.
const (
	maxItems = 128
	// maxQuantities are fewer, since an error has the name of its capacity: these cost a second
	// where each name has 180 KB.
	maxQuantities = 16
	// maxCapacities are good ones, too: a schema takes some 15 us for each, with every write of their object.
	maxCapacities = 8192
)

// Values of a spec. Parameters of drivers may be anything, and are not looked into.
type Values struct {
	// Nulls that are items of lists; an API server drops members that are null. Quantities that are
	// numbers with fractions or beyond 64 bits, signs or suffixes alone, or texts with blanks:
	// Quantity.UnmarshalJSON takes them.
	Nulls, Quantities int
	// Derived attributes, which no release has by default, so no rule counts them. Capacities that
	// are requested, odd or not: nothing bounds them.
	Derived, Capacities int
}

// In a spec of any version, or an object, as far as it is JSON.
func In(text []byte) (v Values) {
	s := objectjson.NewScanner(text)
	v.count(&s, "")
	return v
}

// None tells whether a schema takes them all, but for derived attributes.
func (v Values) None() bool { return v.Nulls+v.Quantities == 0 }

// TooMany says which of them are more than an API server is to look at, "" for none.
func (v Values) TooMany() string {
	switch {
	case v.Capacities > maxCapacities:
		return fmt.Sprintf("%d capacities are requested, at most %d can be", v.Capacities, maxCapacities)
	case v.Quantities > maxQuantities:
		return fmt.Sprintf(`%d quantities in capacity.requests are no number, or fractions without quotes, or have `+
			`blanks: write them as "1.5" or "1Gi"`,
			v.Quantities)
	case v.Nulls > maxItems:
		return fmt.Sprintf("%d items of lists are null: leave them out", v.Nulls)
	case v.Derived > maxItems:
		return fmt.Sprintf("%d derived attributes are asked for, at most %d can be", v.Derived, maxItems)
	}
	return ""
}

// count the value that comes next, which is called so, or an item of what is.
func (v *Values) count(s *objectjson.Scanner, name string) {
	switch {
	case s.Is('{'):
		if name == "derivedAttributes" {
			v.Derived++
		}
		for member := range s.Members() {
			switch {
			case member == "parameters":
				s.Skip()
			case name == "capacity" && member == "requests" && s.Is('{'):
				v.requests(s)
			default:
				v.count(s, member)
			}
		}
	case s.Is('['):
		for range s.Elements() {
			if s.ReadNull() {
				v.Nulls++
			} else {
				v.count(s, name)
			}
		}
	default:
		s.Skip()
	}
}

// requests of capacity.
func (v *Values) requests(s *objectjson.Scanner) {
	for range s.Members() {
		v.Capacities++
		if !isQuantity(s.Value()) {
			v.Quantities++
		}
	}
}

// quantity as controller-gen writes it into a schema.
var quantity = regexp.MustCompile(`^[+-]?(\d+(\.\d*)?|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?(\d+(\.\d*)?|\.\d+))?$`)

func isQuantity(value []byte) bool {
	if len(value) > 0 && value[0] == '"' {
		return quantity.MatchString(objectjson.StringOf(value))
	}
	_, err := strconv.ParseInt(string(value), 10, 64)
	return err == nil
}
