package preflight

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/config"
)

var policiesDoWithoutExtras = Check{
	Name:     "policies-do-without-extras",
	Reason:   "A service account is impersonated by its name alone, so in writes through old versions a policy does not see the extras of its token, such as its node. One that holds only for who has a node does not hold for them; one that demands it refuses them. Webhooks may look at extras too, which cannot be seen from outside.",
	Severity: Warning,
	Remedy:   "Have the policy hold for the name of the service account, and refuse it without a node; move the driver to v1. docs/aggregated.md, \"Policies that look at extras\", has an example.",
	find: func(v *view) {
		if config.ActAs(v.actsAs()) != config.Caller {
			return // extras are passed on, or nobody writes
		}
		for _, kind := range []struct{ plural, kind string }{
			{"validatingadmissionpolicies", "ValidatingAdmissionPolicy"},
			{"mutatingadmissionpolicies", "MutatingAdmissionPolicy"},
		} {
			all, _, _ := policiesOf[saidPolicy](v, kind.plural, kind.kind)
			for _, p := range all {
				if v.rulesOver(p.Spec) && looksAtExtras(p.Spec) {
					v.warn(Object{Kind: kind.kind, Name: p.Name}, "looks at the extras of who asks, which service accounts do not have in writes through old versions: it does not hold for these, or refuses them",
						say("see that it holds for service accounts by their names and refuses who has no node, or move their drivers to v1: docs/aggregated.md, \"Policies that look at extras\"; --skip=%s leaves it out", v.check.Name).
							by(v.kubectl("get", kind.kind, p.Name, "-o", "yaml")))
				}
			}
		}
	},
}

// saidPolicy has its expressions in many places, which differ by kind and release.
type saidPolicy struct {
	metav1.ObjectMeta `json:"metadata"`
	Spec              json.RawMessage `json:"spec"`
}

// rulesOver what is served: whether a policy is asked about writes of it. Such a write comes to it in v1, whatever the rules say of versions.
func (v *view) rulesOver(spec []byte) bool {
	p, err := decode[struct {
		MatchConstraints struct {
			ResourceRules []admissionregistrationv1.NamedRuleWithOperations `json:"resourceRules"`
		} `json:"matchConstraints"`
	}](spec)
	return err == nil && slices.ContainsFunc(p.MatchConstraints.ResourceRules, func(r admissionregistrationv1.NamedRuleWithOperations) bool {
		return has(r.APIGroups, v.options.Group) && slices.ContainsFunc(r.Resources, func(pattern string) bool {
			plural, _, _ := strings.Cut(pattern, "/")
			return plural == "*" || slices.Contains(kindsOf(newest), plural)
		})
	})
}

var (
	ofUser = regexp.MustCompile(`\buserInfo\b`)
	extras = regexp.MustCompile(`\.\s*\??\s*extra\b|\[\s*\??\s*['"]extra['"]`)
)

// looksAtExtras of the user: by request.userInfo.extra, by optional members or by a variable that has the user.
func looksAtExtras(spec []byte) bool {
	var whole any
	if json.Unmarshal(spec, &whole) != nil {
		return false
	}
	said := strings.Join(expressions(nil, whole), "\n")
	return ofUser.MatchString(said) && extras.MatchString(said)
}

// expressions of a policy: expression, messageExpression, valueExpression, wherever they are.
func expressions(found []string, part any) []string {
	switch part := part.(type) {
	case []any:
		for _, element := range part {
			found = expressions(found, element)
		}
	case map[string]any:
		for name, value := range part {
			if text, is := value.(string); is && strings.HasSuffix(strings.ToLower(name), "expression") {
				found = append(found, text)
			}
			found = expressions(found, value)
		}
	}
	return found
}
