package convert

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/conversion"
)

// survey looks for what goes with claims in an object that is none: rights, webhooks, policies and patches, which are found by their
// shape, in whatever kind, and never changed: what they are to say is for a person to decide. Claims and classes that stand in it as
// objects are converted there.
func (p *part) survey(at manifest.Position, h conversion.Header, object []byte) (changes []change) {
	tell := func(rule finding.Rule, field, text string) { p.tell(at, h, rule, field, text, 0, "") }
	root, kyverno := treeOf(object), isKyverno(h.Group)
	root.walk(func(t *tree) bool {
		if t.name == "x-kubernetes-group-version-kind" { // a definition says what kinds there are
			return false
		}
		if t != root && p.isInner(t) {
			changes = append(changes, p.inner(at, t, object[t.begin:t.end], tell)...)
			return false
		}
		if slices.Contains(t.texts("apiGroups"), api.Group) {
			p.roles(t, tell)
			p.admissionRules(t, tell)
		}
		switch {
		case isExpression(t.name):
			if why := movedInExpression(t.text, p.to); why != "" && h.Group != api.Group {
				tell(finding.ExpressionOfMovedField, t.path, why)
			}
		case kyverno && kindOf.MatchString(t.text):
			p.kyvernoKind(t, tell)
		case t.text != "":
			p.path(t, tell)
			p.inText(t, func(rule finding.Rule, text string, line int, row string) {
				p.tell(at, h, rule, t.path, text, line, row)
			})
		default:
			p.selector(t, tell)
			p.step(t, tell)
			p.versions(t, tell)
		}
		return true
	})
	return changes
}

// tell of something at a field, with its line where that is known: of a row of its text that of the row, if it stands there as it is.
func (p *part) tell(at manifest.Position, h conversion.Header, rule finding.Rule, field, text string, line int, row string) {
	if p.log.Enough(rule) {
		return
	}
	what := problems.At(rule, field, text)
	if p.log.Locate != nil {
		if begin, _ := p.log.Locate(at.Items, field); begin > 0 {
			if is := p.lineOf(row, begin+line); row != "" && is > 0 {
				what.Line = is
			}
		}
	}
	p.log.Advise(at, h, what)
}

// lineOf a row of a text: one that is expected, or that behind it, as a text begins beside its name or below; 0 where it is neither.
func (p *part) lineOf(row string, expected int) int {
	if p.parsed == nil {
		return 0
	}
	line := p.parsed.FirstLine()
	for text := range bytes.Lines(p.parsed.Text()) {
		if line >= expected && strings.TrimSpace(string(text)) == strings.TrimSpace(row) {
			return line
		}
		if line++; line > expected+1 {
			break
		}
	}
	return 0
}

// tells of a finding at a field.
type tells func(rule finding.Rule, field, text string)

// resources of resource.k8s.io that not all versions have: the oldest that has it, the newest if it is gone, and what to do where it is not.
var resources = map[string]struct{ first, last, instead string }{
	"podschedulings":          {"v1alpha1", "v1alpha1", "only the scheduler used it"},
	"podschedulingcontexts":   {"v1alpha2", "v1alpha3", "only the scheduler and drivers with a controller used it"},
	"resourceclasses":         {"v1alpha1", "v1alpha2", "name deviceclasses, if classes are meant"},
	"resourceclaimparameters": {"v1alpha2", "v1alpha2", "parameters stand in the claim since Kubernetes 1.31"},
	"resourceclassparameters": {"v1alpha2", "v1alpha2", "parameters stand in the DeviceClass since Kubernetes 1.31"},
	"deviceclasses":           {"v1alpha3", "", "name resourceclasses, if classes are meant"},
}

// roles that give rights for resources that the version does not have. Groups carry no version, so nothing is wrong but the names.
func (p *part) roles(t *tree, tell tells) {
	if t.member("verbs") == nil || t.member("resources") == nil {
		return
	}
	for _, r := range t.member("resources").children {
		name, _, _ := strings.Cut(r.text, "/")
		known, found := resources[name]
		if found && (older(p.to, known.first) || known.last != "" && older(known.last, p.to)) {
			tell(finding.RoleOfRemovedResource, r.path, fmt.Sprintf("%s has no %s; %s", p.to, name, known.instead))
		}
	}
}

// older reports whether a version came before another one.
func older(version, than string) bool {
	all := conversion.Versions()
	return slices.Index(all, version) < slices.Index(all, than)
}

// admissionRules of webhooks and policies that match other versions only.
func (p *part) admissionRules(t *tree, tell tells) {
	versions := t.texts("apiVersions")
	if len(versions) == 0 || slices.Contains(versions, "*") || slices.Contains(versions, p.to) {
		return
	}
	tell(finding.RulesOfAnotherVersion, t.member("apiVersions").path, fmt.Sprintf("matches %s of %s, and not %s", strings.Join(versions, ", "), api.Group, p.to))
}
