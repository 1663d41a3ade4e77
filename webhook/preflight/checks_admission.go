package preflight

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/config"
)

// admissionChecks are about who judges writes.
var admissionChecks = []Check{
	validatingConfigurationExists,
	mutatingConfigurationExists,
	webhooksAreNotOptional,
	webhooksAreOfThisRelease,
	everyServedVersionIsJudged,
	noWriteIsExempt,
}

var validatingConfigurationExists = Check{
	Name:     "validating-configuration-exists",
	Reason:   "Without it nobody judges writes: what an API server of the version's own release would refuse is stored, and leftovers in annotations can be forged.",
	Severity: Problem,
	Remedy:   "Apply the manifests again.",
	find: func(v *view) {
		if v.aside().absent() || v.groupIsBuiltIn() || v.servesAnother() || len(v.aside().leftBehind()) > 0 {
			return // claimbridge-is-installed, group-is-not-built-in, server-serves-this-group or conversion-is-not-left-behind say so
		}
		if configuration, seen := v.validating(); configuration == nil && seen {
			v.report(validatingConfigurations.object("", name), "does not exist, so nobody judges writes", v.apply(config.WebhooksPart))
		}
	},
}

var mutatingConfigurationExists = Check{
	Name:     "mutating-configuration-exists",
	Reason:   "Without it nobody fills in what an API server would: claims of " + newest + " miss the defaults that a definition cannot express.",
	Severity: Problem,
	Remedy:   "Apply the manifests again.",
	find: func(v *view) {
		if v.aside().absent() || v.groupIsBuiltIn() || v.servesAnother() || len(v.aside().leftBehind()) > 0 {
			return // claimbridge-is-installed, group-is-not-built-in, server-serves-this-group or conversion-is-not-left-behind say so
		}
		if configuration, seen := v.mutating(); configuration == nil && seen {
			v.report(mutatingConfigurations.object("", name), "does not exist, so nobody fills in defaults", v.apply(config.WebhooksPart))
		}
	},
}

var webhooksAreNotOptional = Check{
	Name:     "webhooks-are-not-optional",
	Reason:   "With failure policy Ignore a write is accepted unseen whenever the server cannot be asked.",
	Severity: Problem,
	Remedy:   "Set failurePolicy to Fail, as the manifests have it.",
	find: func(v *view) {
		for _, h := range v.hooks() {
			if h.optional {
				v.report(h.object, h.field+".failurePolicy is Ignore: writes are accepted unseen when claimbridge cannot be asked", v.apply(config.WebhooksPart))
			}
		}
	},
}

var webhooksAreOfThisRelease = Check{
	Name:     "webhooks-are-of-this-release",
	Reason:   "Compared with what this program renders: review versions, timeout, match policy, reinvocation policy, side effects, rules for more than is judged, webhooks beside ours. What is otherwise works, but not as it was tested; what does not work has checks of its own.",
	Severity: Warning,
	Remedy:   "Apply the webhook configurations again.",
	find: func(v *view) {
		if got, _ := v.validating(); got != nil {
			want := &v.options.rendered.validating
			v.compareHooks(validatingConfigurations.object("", name), validatingWebhooks(want), validatingWebhooks(got))
		}
		if got, _ := v.mutating(); got != nil {
			want := &v.options.rendered.mutating
			v.compareHooks(mutatingConfigurations.object("", name), mutatingWebhooks(want), mutatingWebhooks(got))
		}
	},
}

var everyServedVersionIsJudged = Check{
	Name:     "every-served-version-is-judged",
	Reason:   "A write that no rule names is not judged, or is judged as one of another version. Writes of status need a rule of their own.",
	Severity: Problem,
	Remedy:   "Apply the manifests again: their rules name all versions.",
	find: func(v *view) {
		if configuration, _ := v.validating(); configuration != nil {
			v.uncovered(validatingConfigurations.object("", name), v.validatingHooks())
		}
		if configuration, _ := v.mutating(); configuration != nil {
			v.uncovered(mutatingConfigurations.object("", name), v.mutatingHooks())
		}
	},
}

// uncovered reports which writes no webhook is asked about, of those that the manifests name and that a definition serves:
// one finding, in which versions that miss the same stand together.
func (v *view) uncovered(object Object, hooks []hook) {
	in := map[string][]string{}
	var all []string
	for _, version := range versions {
		var missing []string
		for _, w := range v.options.rendered.writes[object.Kind] {
			covered := slices.ContainsFunc(hooks, func(h hook) bool { return h.covers(w, v.options.Group) })
			if w.version == version && !covered && v.serves(w) {
				missing = append(missing, strings.ToLower(string(w.operation))+" of "+w.resource)
			}
		}
		if len(missing) > 0 {
			text := strings.Join(missing, ", ")
			if in[text] = append(in[text], version); len(in[text]) == 1 {
				all = append(all, text)
			}
		}
	}
	for i, text := range all {
		all[i] = strings.Join(in[text], ", ") + ": " + text
	}
	if len(all) > 0 {
		v.report(object, "has no rule for version "+strings.Join(all, "; nor for version "), v.apply(config.WebhooksPart))
	}
}

// serves reports whether a definition of ours takes such a write.
func (v *view) serves(w write) bool {
	plural, _, _ := strings.Cut(w.resource, "/")
	for _, crd := range v.definitions() {
		for _, version := range crd.Spec.Versions {
			if crd.Spec.Names.Plural == plural && version.Name == w.version && version.Served {
				return true
			}
		}
	}
	return false
}

var noWriteIsExempt = Check{
	Name:     "no-write-is-exempt",
	Reason:   "A selector or a match condition keeps some writes away from the webhook. Whoever may write there can store what others may not, forged leftovers included.",
	Severity: Problem,
	Remedy:   "Remove selectors and match conditions, as the manifests have none.",
	find: func(v *view) {
		for _, h := range v.hooks() {
			if len(h.exempts) > 0 {
				v.report(h.object, h.field+" is not asked about every write, because of its "+strings.Join(h.exempts, " and "),
					v.exempt(h))
			}
		}
	},
}

// exempt no more. Applying the manifests takes nothing away that they do not have.
func (v *view) exempt(h hook) remedy {
	var patches []string
	for _, field := range h.exempts {
		patches = append(patches, fmt.Sprintf(`{"op": "remove", "path": "/webhooks/%d/%s"}`, h.index, field))
	}
	return say("take that away, or leave this check out with --skip=%s if it is meant so", v.check.Name).
		by(v.kubectl("patch", h.object.Kind, h.object.Name, "--type=json", "-p", "["+strings.Join(patches, ", ")+"]"))
}
