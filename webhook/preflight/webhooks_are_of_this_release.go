package preflight

import (
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/claimbridge/claimbridge/config"
)

var webhooksAreOfThisRelease = Check{
	Name:     "webhooks-are-of-this-release",
	Reason:   "Compared with what this program renders: review versions, timeout, match policy, reinvocation policy, side effects, rules for more than is judged, webhooks beside ours. What is otherwise works, but not as it was tested; what does not work has checks of its own.",
	Severity: Warning,
	Remedy:   "Apply the webhook configurations again.",
	find: func(v *view) {
		if got, _ := v.validating(); got != nil {
			want := &v.options.rendered.validating
			v.compareHooks(validatingConfigurations.object("", name), validatingSettings(want), validatingSettings(got))
		}
		if got, _ := v.mutating(); got != nil {
			want := &v.options.rendered.mutating
			v.compareHooks(mutatingConfigurations.object("", name), mutatingSettings(want), mutatingSettings(got))
		}
	},
}

// settings of a webhook that change how it is asked, but not whether.
type settings struct {
	name, matchPolicy, sideEffects, reinvocation string
	reviews                                      []string
	timeout                                      int32
	rules                                        []admissionregistrationv1.RuleWithOperations
}

func validatingSettings(c *admissionregistrationv1.ValidatingWebhookConfiguration) (all []settings) {
	for _, w := range c.Webhooks {
		all = append(all, settings{
			name: w.Name, matchPolicy: value(w.MatchPolicy), sideEffects: value(w.SideEffects), reviews: w.AdmissionReviewVersions,
			timeout: deref(w.TimeoutSeconds, 0), rules: w.Rules,
		})
	}
	return all
}

func mutatingSettings(c *admissionregistrationv1.MutatingWebhookConfiguration) (all []settings) {
	for _, w := range c.Webhooks {
		all = append(all, settings{
			name: w.Name, matchPolicy: value(w.MatchPolicy), sideEffects: value(w.SideEffects), reviews: w.AdmissionReviewVersions,
			timeout: deref(w.TimeoutSeconds, 0), rules: w.Rules, reinvocation: value(w.ReinvocationPolicy),
		})
	}
	return all
}

func value[T ~string](p *T) string { return string(deref(p, "")) }

func (v *view) compareHooks(object Object, want, got []settings) {
	r := v.apply(config.WebhooksPart)
	for _, g := range got {
		i := slices.IndexFunc(want, func(w settings) bool { return w.name == g.name })
		if i < 0 {
			v.report(object, fmt.Sprintf("webhooks[%s] is not one of claimbridge", g.name), say("find out who added it"))
			continue
		}
		field := "webhooks[" + g.name + "]"
		if odd := v.oddities(want[i], g); len(odd) > 0 {
			v.report(object, field+": "+strings.Join(odd, "; "), remedy{"if that is not meant, " + r.text, r.command})
		}
	}
}

// oddities of a webhook that is asked otherwise than it should be. Each has its consequence.
func (v *view) oddities(want, got settings) (odd []string) {
	if !slices.Equal(want.reviews, got.reviews) {
		odd = append(odd, fmt.Sprintf("admissionReviewVersions is %v, not %v, which works too", got.reviews, want.reviews))
	}
	switch {
	case got.timeout < want.timeout:
		odd = append(odd, fmt.Sprintf("timeoutSeconds is %d, not %d: writes fail when the server, or a new connection to it, takes longer", got.timeout, want.timeout))
	case got.timeout > want.timeout:
		odd = append(odd, fmt.Sprintf("timeoutSeconds is %d, not %d: a write may take longer than the API server allows it, and then nobody hears which call failed", got.timeout, want.timeout))
	}
	if got.matchPolicy != want.matchPolicy {
		odd = append(odd, fmt.Sprintf("matchPolicy is %s, not %s: %s", got.matchPolicy, want.matchPolicy, map[string]string{
			string(admissionregistrationv1.Exact):      "a version that no rule names would not be judged",
			string(admissionregistrationv1.Equivalent): "writes in older versions are converted once more each way",
		}[got.matchPolicy]))
	}
	if got.reinvocation != want.reinvocation {
		odd = append(odd, fmt.Sprintf("reinvocationPolicy is %s, not %s: what a webhook after it adds gets no defaults", got.reinvocation, want.reinvocation))
	}
	if got.sideEffects != want.sideEffects {
		odd = append(odd, fmt.Sprintf("sideEffects is %s, not %s: dry runs may be refused", got.sideEffects, want.sideEffects))
	}
	for _, more := range v.beyond(want, got) {
		odd = append(odd, "asked about "+more+", which is not judged, and which fails when the server does not answer")
	}
	return odd
}

// beyond what the manifests ask about, of our group.
func (v *view) beyond(want, got settings) (more []string) {
	wanted := expand(want.rules)
	for _, rule := range got.rules {
		if !has(rule.APIGroups, v.options.Group) {
			continue
		}
		for _, resource := range rule.Resources {
			for _, operation := range rule.Operations {
				known := slices.ContainsFunc(wanted, func(w write) bool { return w.resource == resource && w.operation == operation })
				if phrase := strings.ToLower(string(operation)) + " of " + resource; !known && !slices.Contains(more, phrase) {
					more = append(more, phrase)
				}
			}
		}
	}
	return more
}
