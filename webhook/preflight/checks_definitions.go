package preflight

import (
	"fmt"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/claimbridge/claimbridge/config"
)

var definitionsExist = &Check{
	Name:   "definitions-exist",
	Reason: "Without its CustomResourceDefinition the API server does not know claims, or templates, at all.",
	after:  []*Check{claimbridgeIsInstalled},
	reads:  installation,
	find: func(s *state, r *report) {
		for _, plural := range []string{claims, templates} {
			if s.named[plural] == nil && !s.absent() {
				r.problem(definitions.object("", s.definitionName(plural)), "does not exist", s.apply(config.CRDsPart))
			}
		}
	},
}

var definitionsAreOurs = &Check{
	Name:   "definitions-are-ours",
	Reason: "One of the same name that did not come with claimbridge has other versions and fields.",
	reads:  []resource{definitions},
	find: func(s *state, r *report) {
		for _, plural := range []string{claims, templates} {
			crd := s.named[plural]
			if crd == nil || ours(crd) {
				continue
			}
			var has []string
			for _, version := range crd.Spec.Versions {
				has = append(has, version.Name)
			}
			r.problem(definitions.object("", crd.Name),
				fmt.Sprintf("did not come with claimbridge (it has no category %s): it has the versions %s", ourCategory, strings.Join(has, ", ")),
				say("find out who installed it, and keep a backup of its objects, before it is deleted and claimbridge's is applied; or take a group of your own").
					by(s.kubectl("get", crd.Name, "-A", "-o", "yaml")))
		}
	},
}

var definitionsAreAccepted = &Check{
	Name:   "definitions-are-accepted",
	Reason: "A definition is served once its names are accepted and it is established, and not while it is being deleted.",
	reads:  []resource{definitions},
	find: each((*state).definitions, func(s *state, r *report, crd *apiextensionsv1.CustomResourceDefinition) {
		object := definitions.object("", crd.Name)
		names, established := apihelpers.FindCRDCondition(crd, apiextensionsv1.NamesAccepted), apihelpers.FindCRDCondition(crd, apiextensionsv1.Established)
		switch {
		case crd.DeletionTimestamp != nil:
			r.problem(object, "is being deleted"+saying(apihelpers.FindCRDCondition(crd, apiextensionsv1.Terminating)),
				say("let the deletion end: claims that are left need a server that answers, and those with finalizers whoever set them; then apply the definitions").
					by(s.kubectl("get", "crd", crd.Name, "-o", "jsonpath={.status.conditions}")))
		case names != nil && names.Status == apiextensionsv1.ConditionFalse:
			r.problem(object, "its names are not accepted"+saying(names), say("have the owner of the other definition that has these names take them out, or delete it").by(s.kubectl("get", "crds")))
		case established == nil || established.Status != apiextensionsv1.ConditionTrue:
			r.problem(object, "is not established"+saying(established), say("wait, a new definition needs a few seconds; else see its conditions").
				by(s.kubectl("wait", "--for=condition=Established", "--timeout=30s", "crd/"+crd.Name)))
		}
	}),
}

func saying(c *apiextensionsv1.CustomResourceDefinitionCondition) string {
	if c == nil || c.Message == "" {
		return ""
	}
	return ": " + c.Message
}
