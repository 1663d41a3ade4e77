package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/conversion"
)

// claimKinds are what is converted.
var claimKinds = []string{kindClaim, kindTemplate, kindClaim + "List", kindTemplate + "List"}

// otherKinds of the group resource.k8s.io, of all releases up to 1.36. Some are nearly spelt like a claim.
var otherKinds = []string{
	"ResourceClass", "ResourceClassParameters", "ResourceClaimParameters", "PodScheduling", "PodSchedulingContext",
	"DeviceClass", "ResourceSlice", "DeviceTaintRule", "ResourcePoolStatusRequest",
}

// names tells whether the group of an apiVersion, or all of it when it has no version, is one that claims are looked for
// in, by name.
func (g groups) names(apiVersion string) bool {
	group, _, _ := strings.Cut(apiVersion, "/")
	return slices.Contains(g, group) || group == defaultGroup
}

// passedOver says why an object that looks like a claim is not taken for one, and what to do about it.
func (g groups) passedOver(apiVersion, kind string) (t topic, why string, passed bool) {
	group, _, versioned := strings.Cut(apiVersion, "/")
	isClaim := slices.Contains(claimKinds, kind)
	switch {
	case isClaim && g.has(apiVersion), apiVersion == "":
		return 0, "", false
	case isClaim && versioned:
		if near := suggestions(group, g, 2); len(near) > 0 {
			return otherGroup, fmt.Sprintf("its group is %s; did you mean %s?", group, strings.Join(near, " or ")), true
		}
		return otherGroup, fmt.Sprintf("its group is %s; to include it, use --group=%s", group, strings.Join(append(slices.Clone(g), group), ",")), true
	case isClaim && g.names(apiVersion):
		return noVersion, fmt.Sprintf("apiVersion %s has no version; write %[1]s/%s, or whichever it is", apiVersion, conversion.Newest()), true
	case isClaim:
		return noVersion, fmt.Sprintf("apiVersion %s has no group; write %s/%[1]s", apiVersion, defaultGroup), true
	case !g.names(apiVersion), slices.Contains(otherKinds, strings.TrimSuffix(kind, "List")):
		return 0, "", false
	}
	// The kinds are 13 and more letters long.
	if near := suggestions(kind, claimKinds, 2); len(near) > 0 {
		return otherKind, fmt.Sprintf("there is no kind %s; did you mean %s?", kind, strings.Join(near, " or ")), true
	}
	if group == defaultGroup {
		return otherKind, fmt.Sprintf("the kind %s of %s is not known", kind, group), true
	}
	return 0, "", false
}

// passes looks at an object of another kind, which passes through as it is: it may be meant for a claim, or have to be
// changed by hand now that claims are. The text is that of the object, in YAML or JSON.
func (p *part) passes(at manifest.Position, apiVersion, kind string, text []byte, object func() ([]byte, error)) {
	p.others++
	t, why, remarkable := p.groups.passedOver(apiVersion, kind)
	if remarkable {
		why = "passes through unconverted: " + why
	} else {
		t, why, remarkable = p.leftBehind(apiVersion, kind)
	}
	class := p.isClass(apiVersion, kind)
	mayHavePods := hasPodClaims(text)
	if !remarkable && !class && !mayHavePods {
		return
	}
	raw, err := object()
	if err != nil {
		return // it passes through all the same
	}
	h, err := conversion.ReadHeader(raw)
	if err != nil {
		return
	}
	if remarkable {
		p.problems.advise(t, at, h, why)
	}
	if class {
		p.classes.add(at, h)
	}
	if mayHavePods {
		if what := wrongPodClaims(raw, p.to); what != "" {
			p.problems.advise(podClaims, at, h, what)
		}
	}
}

// leftBehind says what to do about an object of the group that is no claim, and stays in the version that it has.
func (p *part) leftBehind(apiVersion, kind string) (t topic, why string, remarkable bool) {
	_, version, _ := strings.Cut(apiVersion, "/")
	if version == p.to || version == "" || !p.groups.names(apiVersion) {
		return 0, "", false
	}
	through := "passes through as " + version
	switch kind {
	case "PodScheduling", "PodSchedulingContext":
		return notForFiles, through + "; the scheduler makes these for the pods that it places, leave it out", true
	case "ResourceSlice":
		return notForFiles, through + "; drivers publish their own, leave it out", true
	case "ResourceClaimParameters", "ResourceClassParameters":
		return notForFiles, fmt.Sprintf("%s, and %s has no such kind; write what it says into requests, selectors and configuration", through, p.to), true
	case "ResourceClass":
		if p.to != conversion.Newest() { // else see the classes
			return notForFiles, fmt.Sprintf("%s; write apiVersion %s/%s, the fields are the same", through, defaultGroup, p.to), true
		}
	}
	return 0, "", false
}
