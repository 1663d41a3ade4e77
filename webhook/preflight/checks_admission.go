package preflight

import (
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/utils/ptr"

	"github.com/claimbridge/claimbridge/config"
)

var validatingConfigurationExists = isThere(validatingConfigurations,
	"validating-configuration-exists", "judges writes",
	"Without it nobody judges writes: what Kubernetes would refuse is stored, and leftovers in annotations can be "+
		"forged.")

var mutatingConfigurationExists = isThere(mutatingConfigurations,
	"mutating-configuration-exists", "fills in defaults",
	"Without it nobody fills in what an API server would: claims of "+newest+
		" miss the defaults that a definition cannot express.")

// isThere finds that a configuration of webhooks is not, and what nobody does then.
func isThere(kind resource, check, does, reason string) *Check {
	find := func(s *state, r *report) {
		if s.configurations[kind] == nil && !s.absent() {
			r.problem(kind.object("", name), "does not exist, so nobody "+does, s.apply(config.WebhooksPart))
		}
	}
	return &Check{
		Name:   check,
		Reason: reason,
		after:  []*Check{claimbridgeIsInstalled, conversionIsNotLeftBehind},
		reads:  installation,
		find:   find,
	}
}

// whoJudges is what says so.
var whoJudges = []resource{definitions, validatingConfigurations, mutatingConfigurations}

var webhooksAreNotOptional = &Check{
	Name:   "webhooks-are-not-optional",
	Reason: "With failure policy Ignore a write is accepted unseen whenever the server cannot be asked.",
	reads:  whoJudges,
	find: each((*state).hooks, func(s *state, r *report, h hook) {
		if ptr.Deref(h.FailurePolicy, admissionregistrationv1.Fail) == admissionregistrationv1.Ignore {
			r.problem(h.object,
				h.field()+".failurePolicy is Ignore: writes are accepted unseen when claimbridge cannot be asked",
				s.apply(config.WebhooksPart))
		}
	}),
}

var everyServedVersionIsJudged = &Check{
	Name: "every-served-version-is-judged",
	Reason: "A write that no rule names is not judged, or is judged as one of another version. Writes of status need " +
		"a rule of their own.",
	reads: whoJudges,
	find: func(s *state, r *report) {
		wanted, err := rendered(config.Options{Group: s.Group, Namespace: s.Namespace, Only: config.WebhooksPart})
		if err != nil {
			r.add(Unknown, validatingConfigurations.object("", name), err.Error(),
				say("report this: the program cannot read its own manifests"))
			return
		}
		for kind, configuration := range s.configurations {
			for _, object := range wanted {
				if configuration != nil && object.GetKind() == kind.kind {
					uncovered(s, r, kind, object)
				}
			}
		}
	},
}

// uncovered reports which writes no webhook is asked about, of those that the manifests name and
// that a definition serves: one finding, in which versions that miss the same stand together.
func uncovered(s *state, r *report, kind resource, wanted *unstructured.Unstructured) {
	hooks, in := s.hooksOf(kind), map[string][]string{}
	var all []string
	for _, version := range versions {
		var missing []string
		for _, w := range writesIn(version, wanted) {
			if serves(s, w) && !slices.ContainsFunc(hooks, func(h hook) bool { return h.covers(w, s.Group) }) {
				missing = append(missing, strings.ToLower(string(w.operation))+" of "+w.resource)
			}
		}
		if text := strings.Join(missing, ", "); text != "" {
			if in[text] = append(in[text], version); len(in[text]) == 1 {
				all = append(all, text)
			}
		}
	}
	for i, text := range all {
		all[i] = strings.Join(in[text], ", ") + ": " + text
	}
	if len(all) > 0 {
		r.problem(kind.object("", name), "has no rule for version "+strings.Join(all, "; nor for version "),
			s.apply(config.WebhooksPart))
	}
}

// serves reports whether a definition of ours takes such a write.
func serves(s *state, w write) bool {
	plural, _, _ := strings.Cut(w.resource, "/")
	return slices.ContainsFunc(s.definitions(), func(crd *apiextensionsv1.CustomResourceDefinition) bool {
		return crd.Spec.Names.Plural == plural && slices.Contains(servedBy(crd), w.version)
	})
}

var noWriteIsExempt = &Check{
	Name: "no-write-is-exempt",
	Reason: "Whoever may write where a selector or a match condition keeps writes away from the webhook can store " +
		"what others may not, forged leftovers included.",
	reads: whoJudges,
	find: each((*state).hooks, func(s *state, r *report, h hook) {
		exempts := h.exempts()
		if len(exempts) == 0 {
			return
		}
		var patches []string // applying the manifests takes nothing away that they do not have
		for _, field := range exempts {
			patches = append(patches, fmt.Sprintf(`{"op": "remove", "path": "/webhooks/%d/%s"}`, h.index, field))
		}
		patch := "[" + strings.Join(patches, ", ") + "]"
		r.problem(h.object, h.field()+" is not asked about every write, because of its "+strings.Join(exempts, " and "),
			say("take that away, or leave this check out with --skip=no-write-is-exempt if it is meant so").
				by(s.kubectl("patch", h.object.Kind, h.object.Name, "--type=json", "-p", patch)))
	}),
}
