package leftover

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/claimbridge/claimbridge/internal/names"
)

// Kind is what a part completes.
type Kind string

// Kinds of parts.
const (
	Spec   Kind = "spec"
	Status Kind = "status"
)

// Part of a leftover as it travels.
type Part struct {
	// Digest of the visible part that this one completes.
	Digest string `json:"digest"`
	// UID of the claim; only in the annotation's copy of a status part, so that a copied annotation says nothing
	// about the status of another claim.
	UID string `json:"uid,omitempty"`
	// Value is the leftover of the step, as JSON.
	Value jsontext.Value `json:"value"`
}

// unknown is the part of a step of which nothing is known: the object was stored in the step's older version. It keeps a
// main write from settling the matter by an annotation.
func (p *Part) unknown() bool { return p.Digest == "" }

// Annotation is the value of an annotation of ours.
type Annotation struct {
	Spec   *Part `json:"spec,omitempty"`
	Status *Part `json:"status,omitempty"`
}

// Key is where the leftovers of a step travel: the member of the field, and the annotation.
type Key struct{ Step, Annotation string }

// KeyOf the step between two versions.
func KeyOf(newer, older string) Key {
	step := newer + "-not-in-" + older
	return Key{step, names.Domain + "/" + step}
}

// Found is a part with the path where it was found.
type Found struct {
	Part
	Path string
}
