package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// numbersAreReadable looks at the object as it is stored, where also those parameters show that an annotation brought: there a number is
// part of a string, which no API server reads before it is converted.
var numbersAreReadable = Rule{
	Name:   "numbers-are-readable",
	Reason: "What is stored can be read in every version: an API server reads no number beyond a float64, nor a list that has one.",
	Source: "claimbridge",
	asked:  onAny,
	check: func(w *write, refuse refuse) {
		if w.stored.numbersFit || !kjson.NumbersFit(textOf(w.stored.old.brought(w.op))) { // it was there before
			return
		}
		refuse(field.Invalid(field.NewPath(w.op.part()), field.OmitValueType{},
			"has a number among its parameters that is beyond what a 64-bit floating point number holds; write it as a string"))
	},
}
