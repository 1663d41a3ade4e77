package claims

import (
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// IsMeantAsType reports whether a member says that an object is a claim, even if its name has other
// letter case: the rest of the type is missing or misspelled.
func IsIntendedClaimType(m objectjson.Member) bool {
	value := objectjson.StringOf(m.Value)
	return strings.EqualFold(m.Name, "apiVersion") && strings.HasPrefix(value, api.Group) ||
		strings.EqualFold(m.Name, "kind") && (value == api.KindClaim || value == api.KindTemplate)
}

// AreIn reports whether an object has claims of the groups in it, and is not meant as a claim itself.
func (g Groups) HasNestedClaim(object []byte) bool {
	members, _, err := objectjson.Members(object)
	if err != nil || slices.ContainsFunc(members, IsIntendedClaimType) {
		return false
	}
	scan := objectjson.NewScanner(object)
	return g.hasClaim(object, &scan)
}

// hasClaim reports whether the value that comes next is a claim, or has one in it.
func (g Groups) hasClaim(object []byte, scan *objectjson.Scanner) (found bool) {
	switch {
	case scan.Is('{'):
		var apiVersion, kind string
		for name := range scan.Members() {
			begin := scan.Begin()
			found = g.hasClaim(object, scan) || found
			switch value := object[begin:scan.End()]; name {
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
