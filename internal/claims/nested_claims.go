package claims

import (
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// IsIntendedClaimType reports whether a member shows that an object is intended as a claim, although the rest of its
// type is missing or misspelled. The case of the member's name is ignored.
func IsIntendedClaimType(m objectjson.Member) bool {
	value := objectjson.StringOf(m.Value)
	return strings.EqualFold(m.Name, "apiVersion") && strings.HasPrefix(value, api.Group) ||
		strings.EqualFold(m.Name, "kind") && (value == api.KindClaim || value == api.KindTemplate)
}

// HasNestedClaim reports whether an object contains claims of the groups, and is not intended as a claim itself.
func (g Groups) HasNestedClaim(object []byte) bool {
	members, _, err := objectjson.Members(object)
	if err != nil || slices.ContainsFunc(members, IsIntendedClaimType) {
		return false
	}
	scan := objectjson.NewScanner(object)
	return g.hasClaim(object, &scan)
}

// hasClaim reports whether the next value is a claim, or contains one.
func (g Groups) hasClaim(object []byte, scan *objectjson.Scanner) (found bool) {
	switch {
	case scan.Is('{'):
		var apiVersion, kind string
		for name := range scan.Members() {
			begin := scan.Begin()
			found = g.hasClaim(object, scan) || found
			value := object[begin:scan.End()]
			switch name {
			case "apiVersion":
				apiVersion = objectjson.StringOf(value)
			case "kind":
				kind = objectjson.StringOf(value)
			}
		}
		return found || g.IsClaim(apiVersion, kind)
	case scan.Is('['):
		for range scan.Elements() {
			found = g.hasClaim(object, scan) || found
		}
		return found
	}
	scan.Skip()
	return false
}
