package preflight

import (
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/config"
)

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
