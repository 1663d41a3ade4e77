package validation

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// maxNesting of the spec or the status. An API server reads JSON of 10,000 levels, and a review of
// a conversion adds a few to those of the object, as does the way to another version: a claim of
// 9,998 levels is stored, and then no list of an older version can be read by anybody. What people
// write has some ten levels; a tenth of what the API server takes is far from either.
const maxNesting = 1000

// depthOf the text of the part that a write brings: levels of nested JSON. The spec of a template
// has that of its claims inside.
func (w *write) depthOf(text []byte) int {
	depth := kjson.Depth(text)
	if w.kind == templateKind {
		depth++
	}
	return depth
}

// nestingIsBounded looks at the object as it is stored, where also those parameters show that an annotation brought.
var nestingIsBounded = Rule{
	Name: "nesting-is-bounded",
	Reason: "What is stored can be read in every version: a conversion is asked for in JSON that nests deeper than " +
		"the object.",
	Source: "claimbridge",
	asked:  onAny,
	check: func(w *write, refuse refuser) {
		if w.stored.depth <= maxNesting || w.depthOf(textOf(w.stored.old.brought(w.op))) > maxNesting {
			// it was there before
			return
		}
		refuse(field.Invalid(field.NewPath(w.op.part()), field.OmitValueType{},
			fmt.Sprintf("has %d levels of nested objects and lists, at most %d can be converted; write deep "+
				"parameters as a string",
				w.stored.depth, maxNesting)))
	},
}

// numbersAreReadable looks at the object as it is stored, where also those parameters show that an
// annotation brought: there a number is part of a string, which no API server reads before it is
// converted.
var numbersAreReadable = Rule{
	Name: "numbers-are-readable",
	Reason: "What is stored can be read in every version: an API server reads no number beyond a float64, nor a list " +
		"that has one.",
	Source: "claimbridge",
	asked:  onAny,
	check: func(w *write, refuse refuser) {
		if w.stored.numbersFit || !kjson.NumbersFit(textOf(w.stored.old.brought(w.op))) { // it was there before
			return
		}
		refuse(field.Invalid(field.NewPath(w.op.part()), field.OmitValueType{},
			"has a number among its parameters that is beyond what a 64-bit floating point number holds; write it as "+
				"a string"))
	},
}
