package preflight

import (
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/claimbridge/claimbridge/config"
)

func (v *view) compareHooks(object Object, want, got []webhook) {
	r := v.apply(config.WebhooksPart)
	for _, g := range got {
		i := slices.IndexFunc(want, func(w webhook) bool { return w.Name == g.Name })
		if i < 0 {
			v.report(object, fmt.Sprintf("webhooks[%s] is not one of claimbridge", g.Name), say("find out who added it"))
			continue
		}
		field := "webhooks[" + g.Name + "]"
		if odd := v.oddities(want[i], g); len(odd) > 0 {
			v.report(object, field+": "+strings.Join(odd, "; "), remedy{"if that is not meant, " + r.text, r.command})
		}
	}
}

// oddities of a webhook that is asked otherwise than it should be. Each has its consequence.
func (v *view) oddities(want, got webhook) (odd []string) {
	if !slices.Equal(want.AdmissionReviewVersions, got.AdmissionReviewVersions) {
		odd = append(odd, fmt.Sprintf("admissionReviewVersions is %v, not %v, which works too", got.AdmissionReviewVersions, want.AdmissionReviewVersions))
	}
	switch got, want := deref(got.TimeoutSeconds, 0), deref(want.TimeoutSeconds, 0); {
	case got < want:
		odd = append(odd, fmt.Sprintf("timeoutSeconds is %d, not %d: writes fail when the server, or a new connection to it, takes longer", got, want))
	case got > want:
		odd = append(odd, fmt.Sprintf("timeoutSeconds is %d, not %d: a write may take longer than the API server allows it, and then nobody hears which call failed", got, want))
	}
	if got, want := value(got.MatchPolicy), value(want.MatchPolicy); got != want {
		odd = append(odd, fmt.Sprintf("matchPolicy is %s, not %s: %s", got, want, map[string]string{
			string(admissionregistrationv1.Exact):      "a version that no rule names would not be judged",
			string(admissionregistrationv1.Equivalent): "writes in older versions are converted once more each way",
		}[got]))
	}
	if got, want := value(got.reinvocation), value(want.reinvocation); got != want {
		odd = append(odd, fmt.Sprintf("reinvocationPolicy is %s, not %s: what a webhook after it adds gets no defaults", got, want))
	}
	if got, want := value(got.SideEffects), value(want.SideEffects); got != want {
		odd = append(odd, fmt.Sprintf("sideEffects is %s, not %s: dry runs may be refused", got, want))
	}
	for _, more := range v.beyond(want, got) {
		odd = append(odd, "asked about "+more+", which is not judged, and which fails when the server does not answer")
	}
	return odd
}

// beyond what the manifests ask about, of our group.
func (v *view) beyond(want, got webhook) (more []string) {
	wanted := expand(want.Rules)
	for _, rule := range got.Rules {
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

func value[T ~string](p *T) string { return string(deref(p, "")) }
