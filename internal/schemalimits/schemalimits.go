// Package schemalimits counts the values of an object that make the schema check of an API server expensive.
//
// The schema of a custom resource rejects some values that Go types and validation rules accept, such as a null in a
// list. An API server compares each of these schema errors with each other one, so thousands of them keep it busy for
// seconds.
package schemalimits

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// An API server needs 5 ms for this many schema errors.
const (
	maxItems = 128
	// maxQuantities is lower, because each error contains the name of its capacity. With names of 180 KB, an API server
	// needs a second for this many.
	maxQuantities = 16
	// maxCapacities is also for valid capacities: the schema check needs some 15 µs for each, in every write.
	maxCapacities = 8192
)

// Counts are the numbers of values that are expensive for the schema check. Parameters of drivers are not counted,
// because the schema accepts any.
type Counts struct {
	// Nulls are items of lists that are null. An API server drops fields that are null before the check.
	Nulls int
	// Quantities are quantities that the schema rejects, and Quantity.UnmarshalJSON accepts: numbers with fractions or
	// of more than 64 bits, single signs or suffixes, and strings with blanks.
	Quantities int
	// Derived are derived attributes. No release has them by default, so no validation rule limits their number.
	Derived int
	// Capacities are requested capacities, valid or not. Their number is not limited otherwise.
	Capacities int
}

// Count returns the counts of a spec of any version, or of an object. It counts up to the first byte that is not JSON.
func Count(text []byte) (c Counts) {
	s := objectjson.NewScanner(text)
	c.count(&s, "")
	return c
}

// HasInvalidValues reports whether a schema rejects a value. Derived attributes and the number of capacities don't
// matter.
func (c Counts) HasInvalidValues() bool { return c.Nulls+c.Quantities > 0 }

// TooMany returns a message if a count exceeds its limit, or "".
func (c Counts) TooMany() string {
	switch {
	case c.Capacities > maxCapacities:
		return fmt.Sprintf("%d capacities are requested, and the limit is %d", c.Capacities, maxCapacities)
	case c.Quantities > maxQuantities:
		return fmt.Sprintf(`%d quantities in capacity.requests are not numbers, have fractions without quotes, or have `+
			`blanks: write them as "1.5" or "1Gi"`,
			c.Quantities)
	case c.Nulls > maxItems:
		return fmt.Sprintf("%d items of lists are null: remove them", c.Nulls)
	case c.Derived > maxItems:
		return fmt.Sprintf("%d derived attributes are requested, and the limit is %d", c.Derived, maxItems)
	}
	return ""
}

// count counts the values in the next value, which is the field of that name, or an item of it.
func (c *Counts) count(s *objectjson.Scanner, name string) {
	switch {
	case s.Is('{'):
		if name == "derivedAttributes" {
			c.Derived++
		}
		for member := range s.Members() {
			switch {
			case member == "parameters":
				s.Skip()
			case name == "capacity" && member == "requests" && s.Is('{'):
				c.countCapacities(s)
			default:
				c.count(s, member)
			}
		}
	case s.Is('['):
		for range s.Elements() {
			if s.ReadNull() {
				c.Nulls++
			} else {
				c.count(s, name)
			}
		}
	default:
		s.Skip()
	}
}

// countCapacities counts the members of capacity.requests.
func (c *Counts) countCapacities(s *objectjson.Scanner) {
	for range s.Members() {
		c.Capacities++
		if !isQuantity(s.Value()) {
			c.Quantities++
		}
	}
}

// quantity is the pattern of a quantity that controller-gen writes into a schema.
var quantity = regexp.MustCompile(`^[+-]?(\d+(\.\d*)?|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?(\d+(\.\d*)?|\.\d+))?$`)

func isQuantity(value []byte) bool {
	if len(value) > 0 && value[0] == '"' {
		return quantity.MatchString(objectjson.StringOf(value))
	}
	_, err := strconv.ParseInt(string(value), 10, 64)
	return err == nil
}
