package leftover

import (
	"regexp"
	"strconv"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// Odd are the values of an object, or of a part of one, that Go and the rules take as Kubernetes does, and the schema of a definition refuses one by
// one, or takes long for. Parameters of drivers may be anything, and are not looked into.
type Odd struct {
	// Nulls that are items of lists; an API server drops members that are null. Quantities that are numbers with fractions or beyond 64 bits, signs or suffixes
	// alone, or texts with blanks: resource.ParseQuantity takes them.
	Nulls, Quantities int
	// Derived attributes, which releases before 1.37 drop, and so no rule of theirs counts. Capacities that are requested, odd or not: nothing
	// bounds them.
	Derived, Capacities int
}

// OddIn a text, as far as it is JSON.
func OddIn(text []byte) (o Odd) {
	s := kjson.New(text)
	o.count(&s, "")
	return o
}

// count the value that comes next, which is a part of what is called so, as far as that matters.
func (o *Odd) count(s *kjson.Scanner, of string) {
	switch {
	case s.Is('{'):
		if of == "derivedAttributes" {
			o.Derived++
		}
		for name := range s.Members() {
			switch {
			case name == "parameters":
				s.Skip()
			case of == "capacity" && name == "requests":
				o.requests(s)
			default:
				o.count(s, name)
			}
		}
	case s.Is('['):
		for range s.Elements() {
			if s.Null() {
				o.Nulls++
			} else {
				o.count(s, of)
			}
		}
	default:
		s.Skip()
	}
}

// requests of capacity.
func (o *Odd) requests(s *kjson.Scanner) {
	if !s.Is('{') {
		s.Skip()
		return
	}
	for range s.Members() {
		o.Capacities++
		if value := s.Value(); !isQuantity(value) {
			o.Quantities++
		}
	}
}

var quantity = regexp.MustCompile(`^[+-]?(\d+(\.\d*)?|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?(\d+(\.\d*)?|\.\d+))?$`)

// isQuantity tells whether a schema takes a value for one.
func isQuantity(value []byte) bool {
	if len(value) > 0 && value[0] == '"' {
		return quantity.MatchString(kjson.StringOf(value))
	}
	_, err := strconv.ParseInt(kjson.View(value), 10, 64)
	return err == nil
}
