package convert

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/conversion"
)

// wantedOther is what an object of another kind is to become. It may be meant for a claim, or have to be changed now that claims are,
// by hand or here. The text is that of the object, in YAML or JSON. When it is not ok, the reason was printed.
func (p *part) wantedOther(at manifest.Position, apiVersion, kind string, text []byte, object func() ([]byte, error)) (wanted []byte, changed, ok bool) {
	rule, why, remarkable := problems.PassedOver(p.groups, apiVersion, kind)
	if remarkable && rule.About().Severity == finding.Warning {
		why = "passes through unconverted: " + why
	} else if !remarkable {
		rule, why, remarkable = p.leftBehind(apiVersion, kind)
	}
	compared := p.isClass(apiVersion, kind) || isParameters(kind)
	speaks := speaksOfClaims(text) || isKustomization(apiVersion)
	if !remarkable && !compared && !speaks && !hasPodClaims(text) {
		p.others++
		return nil, false, true
	}
	raw, err := object()
	var h conversion.Header
	if err == nil {
		h, err = conversion.ReadHeader(raw)
	}
	if err != nil {
		p.others++
		return nil, false, true // it passes through all the same
	}
	if apiVersion == "" && kind == "" {
		h.Kind, h.Name = "object", "without a type"
	} else if h.Kind == "" || h.Version == "" { // kustomize fills it in
		typed := problems.HeaderOf(&manifest.Document{APIVersion: apiVersion, Kind: kind})
		h.Group, h.Version, h.Kind = typed.Group, typed.Version, typed.Kind
	}
	if remarkable && rule.About().Severity == finding.Error {
		p.log.Refuse(at, h, []problems.What{{Rule: rule, Text: why}})
		return nil, false, false
	}
	p.others++
	flat := api.HasDevices(p.to)
	pods := wrongPodClaims(raw, cmp.Or(apiVersion, "values/"), flat) // of a chart, say, are not pods for sure
	changes, done := p.fixes(raw, apiVersion, kind, pods)
	allowed := len(p.compared.labelled.all)
	labels, labelled := p.namespace(at, h, raw)
	changes, done = append(changes, labels...), append(done, labelled...)
	for _, what := range done {
		p.log.Fixed(at, h, what)
	}
	if _, same := p.sameShape(raw, apiVersion, kind); remarkable && !same {
		what := problems.What{Rule: rule, Text: why}
		if rule == finding.DeviceClassOfAnotherVersion {
			what.Field = p.fieldOfClass(raw)
		}
		p.log.Advise(at, h, what)
	}
	if compared {
		p.compared.add(at, h, raw)
		p.file(at, h, raw)
	}
	if p.inFiles && isKustomization(apiVersion) {
		p.compared.kustomizations.add(one{at: at})
	}
	if what := adviceOnPods(pods, flat); what.Text != "" {
		p.log.Advise(at, h, what)
	}
	if len(changes) > 0 {
		p.fixed++
	} else if p.isRight(raw, apiVersion, kind) || len(p.compared.labelled.all) > allowed {
		p.right++
	}
	if speaks {
		changes = append(changes, p.survey(at, h, raw)...)
	}
	if len(changes) == 0 {
		return nil, false, true
	}
	return changedText(raw, inOrder(changes)), true, true
}

// speaksOfClaims reports whether a text may be about claims, by words that patches and selectors of theirs have.
func speaksOfClaims(text []byte) bool {
	for _, word := range []string{api.Group, api.KindClaim, "devices/requests", "devices.requests", "/resourceClassName", podClaims, "admin-access"} {
		if bytes.Contains(text, []byte(word)) {
			return true
		}
	}
	return false
}

// leftBehind says what to do about an object of the group that is no claim, and stays in the version that it has.
func (p *part) leftBehind(apiVersion, kind string) (rule finding.Rule, why string, remarkable bool) {
	_, version, _ := strings.Cut(apiVersion, "/")
	if version == p.to || version == "" || !p.groups.Names(apiVersion) {
		return 0, "", false
	}
	through := "passes through as " + version
	switch kind {
	case "PodScheduling", "PodSchedulingContext":
		return finding.SchedulingObject, through + "; the scheduler makes these for the pods that it places, leave it out", true
	case "ResourceSlice":
		return finding.ResourceSliceInFile, through + "; drivers publish their own, leave it out", true
	case "ResourceClaimParameters", "ResourceClassParameters":
		return finding.ParametersKind, fmt.Sprintf("%s, and %s has no such kind; write what it says into requests, selectors and configuration", through, p.to), true
	case newClass:
		if api.HasDevices(p.to) {
			same := "the fields are the same"
			switch {
			case !api.HasDevices(version):
				same = "and look at its fields: " + version + " has no such kind"
			case version == "v1alpha3":
				same += " but for suitableNodes, which is gone since Kubernetes 1.32"
			case p.to == "v1alpha3" || p.target.Release != "":
				same += " but for extendedResourceName, which came with Kubernetes " + extendedResources
			}
			return finding.DeviceClassOfAnotherVersion, fmt.Sprintf("%s; write apiVersion %s/%s, %s", through, api.Group, p.to, same), true
		}
	case oldClass:
		if !api.HasDevices(p.to) { // else see the classes
			return finding.ResourceClassOfAnotherVersion, fmt.Sprintf("%s; write apiVersion %s/%s, the fields are the same", through, api.Group, p.to), true
		}
	}
	return 0, "", false
}
