package convert

import (
	"fmt"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/conversion"
)

// passes looks at an object of another kind, which passes through as it is: it may be meant for a claim, or have to be
// changed by hand now that claims are. The text is that of the object, in YAML or JSON.
func (p *part) passes(at manifest.Position, apiVersion, kind string, text []byte, object func() ([]byte, error)) {
	p.others++
	t, why, remarkable := problems.PassedOver(p.groups, apiVersion, kind)
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
		p.log.Advise(t, at, h, why)
	}
	if class {
		p.classes.add(at, h)
	}
	if mayHavePods {
		if what := wrongPodClaims(raw, p.to); what != "" {
			p.log.Advise(problems.PodClaims, at, h, what)
		}
	}
}

// leftBehind says what to do about an object of the group that is no claim, and stays in the version that it has.
func (p *part) leftBehind(apiVersion, kind string) (t problems.Topic, why string, remarkable bool) {
	_, version, _ := strings.Cut(apiVersion, "/")
	if version == p.to || version == "" || !p.groups.Names(apiVersion) {
		return 0, "", false
	}
	through := "passes through as " + version
	switch kind {
	case "PodScheduling", "PodSchedulingContext":
		return problems.NotForFiles, through + "; the scheduler makes these for the pods that it places, leave it out", true
	case "ResourceSlice":
		return problems.NotForFiles, through + "; drivers publish their own, leave it out", true
	case "ResourceClaimParameters", "ResourceClassParameters":
		return problems.NotForFiles, fmt.Sprintf("%s, and %s has no such kind; write what it says into requests, selectors and configuration", through, p.to), true
	case newClass:
		if api.HasDevices(p.to) && api.HasDevices(version) {
			same := "the fields are the same"
			switch "v1alpha3" {
			case version:
				same += " but for suitableNodes, which is gone since Kubernetes 1.32"
			case p.to:
				same += " but for extendedResourceName, which came with Kubernetes 1.34"
			}
			return problems.NotForFiles, fmt.Sprintf("%s; write apiVersion %s/%s, %s", through, api.Group, p.to, same), true
		}
	case oldClass:
		if !api.HasDevices(p.to) { // else see the classes
			return problems.NotForFiles, fmt.Sprintf("%s; write apiVersion %s/%s, the fields are the same", through, api.Group, p.to), true
		}
	}
	return 0, "", false
}
