package validation

import (
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// storedParameters is the JSON of a driver in a part as stored.
type storedParameters struct {
	// around is the number of levels of JSON around the parameters, in the part.
	around int
	json   []byte
}

// storedParametersOf returns all parameters in a part. No other field can nest at any depth, or has numbers of any
// size.
func storedParametersOf(part any) (all []storedParameters) {
	switch p := part.(type) {
	case *v1.ResourceClaimSpec:
		for _, c := range p.Devices.Config {
			all = appendOpaque(all, 5, c.Opaque) // {devices: {config: [{opaque: {
		}
	case *v1.ResourceClaimStatus:
		for _, d := range p.Devices {
			if d.Data != nil {
				all = append(all, storedParameters{3, d.Data.Raw}) // {devices: [{
			}
		}
		if p.Allocation == nil {
			return all
		}
		for _, c := range p.Allocation.Devices.Config {
			all = appendOpaque(all, 6, c.Opaque) // {allocation: {devices: {config: [{opaque: {
		}
	}
	return all
}

func appendOpaque(all []storedParameters, around int, opaque *v1.OpaqueDeviceConfiguration) []storedParameters {
	if opaque == nil {
		return all
	}
	return append(all, storedParameters{around, opaque.Parameters.Raw})
}

// nestingOf returns the nesting depth of the JSON of a part as stored, down to its deepest parameters. Other fields are
// not measured, because they can't nest deeply. The spec of a template contains the spec of its claims, one level
// deeper.
func (in *input) nestingOf(part any) int {
	deepest := 0
	for _, p := range storedParametersOf(part) {
		deepest = max(deepest, p.around+objectjson.Depth(p.json))
	}
	if in.kind == templateKind {
		deepest++
	}
	return deepest
}

// hasReadableNumbers reports whether API servers can read the numbers in the parameters of a part as stored. They can
// read those in its fields.
func hasReadableNumbers(part any) bool {
	for _, p := range storedParametersOf(part) {
		if !objectjson.NumbersFit(p.json) {
			return false
		}
	}
	return true
}
