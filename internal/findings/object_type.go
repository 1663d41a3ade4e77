package findings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/suggest"
	"github.com/claimbridge/claimbridge/internal/variables"
)

// claimKinds are the kinds that are converted.
var claimKinds = []string{api.KindClaim, api.KindTemplate, api.KindClaim + "List", api.KindTemplate + "List"}

// otherKinds are the other kinds of resource.k8s.io, of all releases up to 1.36. The names of some are similar to those
// of claims.
var otherKinds = []string{
	"ResourceClass", "ResourceClassParameters", "ResourceClaimParameters", "PodScheduling", "PodSchedulingContext",
	"DeviceClass", "ResourceSlice", "DeviceTaintRule", "ResourcePoolStatusRequest",
}

// WhyNotConverted returns why an object that looks like a claim is not converted, and what to do about it.
// looksLikeClaim is false for a claim that is converted, and for any other object.
func WhyNotConverted(g claims.Groups, apiVersion, kind string) (rule Rule, reason string, looksLikeClaim bool) {
	group, _, hasVersion := strings.Cut(apiVersion, "/")
	isClaim := slices.Contains(claimKinds, kind)
	switch {
	case isClaim && g.Has(apiVersion), apiVersion == "":
		return "", "", false
	case isClaim && variables.Has(apiVersion) && !strings.Contains(variables.ReplaceText(apiVersion), "/"):
		return IncompleteAPIVersion, "apiVersion " + variables.UnknownVersion(apiVersion), true
	case isClaim && hasVersion:
		if near := suggest.Names(group, g, 2); len(near) > 0 {
			return MisspeltType, fmt.Sprintf("its group is %s; did you mean %s?", group,
				strings.Join(near, " or ")), true
		}
		return ClaimOfAnotherGroup, fmt.Sprintf("its group is %s; to include it, use --group=%s", group,
			strings.Join(append(slices.Clone(g), group), ",")), true
	case isClaim && g.HasByName(apiVersion):
		return IncompleteAPIVersion, fmt.Sprintf("apiVersion %s has no version; write %[1]s/%s, or the version that the "+
			"object was written for", apiVersion, conversion.Stored()), true
	case isClaim:
		return IncompleteAPIVersion, fmt.Sprintf("apiVersion %s has no group; write %s/%[1]s", apiVersion, api.Group), true
	case !g.HasByName(apiVersion), slices.Contains(otherKinds, strings.TrimSuffix(kind, "List")):
		return "", "", false
	}
	// Kinds have at least 13 letters, so two typing errors cannot turn one kind into another.
	if near := suggest.Names(kind, claimKinds, 2); len(near) > 0 {
		return MisspeltType, fmt.Sprintf("there is no kind %s; did you mean %s?", kind,
			strings.Join(near, " or ")), true
	}
	if group == api.Group {
		return UnknownKind, fmt.Sprintf("the kind %s of %s is not known", kind, group), true
	}
	return "", "", false
}
