package validation

import (
	"iter"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// nestingOf returns the levels of nested JSON of a part as stored, if its parameters nest deeper than its fields. The
// spec of a template contains that of its claims.
func (in *input) nestingOf(part any) int {
	deepest := 0
	for depth, parameters := range storedParameters(part) {
		deepest = max(deepest, depth+objectjson.Depth(parameters))
	}
	if in.kind == templateKind {
		deepest++
	}
	return deepest
}

// hasReadableNumbers reports whether API servers can read the numbers in the parameters of a part as stored. They can
// read those in its fields.
func hasReadableNumbers(part any) bool {
	for _, parameters := range storedParameters(part) {
		if !objectjson.NumbersFit(parameters) {
			return false
		}
	}
	return true
}

// storedParameters returns the JSON of drivers in a part as stored, each with the levels of JSON around it. No other
// field of a part can nest at any depth, or has numbers of any size.
func storedParameters(part any) iter.Seq2[int, []byte] {
	return func(yield func(depth int, parameters []byte) bool) {
		switch p := part.(type) {
		case *v1.ResourceClaimSpec:
			for _, c := range p.Devices.Config {
				if c.Opaque != nil && !yield(5, c.Opaque.Parameters.Raw) { // {devices: {config: [{opaque: {
					return
				}
			}
		case *v1.ResourceClaimStatus:
			for _, d := range p.Devices {
				if d.Data != nil && !yield(3, d.Data.Raw) { // {devices: [{
					return
				}
			}
			if p.Allocation == nil {
				return
			}
			for _, c := range p.Allocation.Devices.Config {
				if c.Opaque != nil && !yield(6, c.Opaque.Parameters.Raw) { // {allocation: {devices: {config: [{opaque: {
					return
				}
			}
		}
	}
}
