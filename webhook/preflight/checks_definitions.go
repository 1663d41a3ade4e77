package preflight

import (
	"fmt"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/claimbridge/claimbridge/config"
)

// definitionsChecks are about the definitions: they exist, are ours and are of this release.
var definitionsChecks = []Check{
	definitionsExist,
	definitionsAreOurs,
	definitionsAreAccepted,
	definitionsAreOfThisRelease,
}

var definitionsExist = Check{
	Name:     "definitions-exist",
	Reason:   "Without its CustomResourceDefinition the API server does not know claims, or templates, at all.",
	Severity: Problem,
	Remedy:   "Apply the manifests again. Objects are gone with their definition and have to be restored.",
	find: func(v *view) {
		if v.aside().absent() || v.groupIsBuiltIn() || v.servesAnother() {
			return // claimbridge-is-installed, group-is-not-built-in or server-serves-this-group say so
		}
		for _, plural := range []string{claims, templates} {
			if crd, seen := v.definition(plural); crd == nil && seen {
				v.report(definitions.object("", v.definitionName(plural)), "does not exist", v.apply(config.CRDsPart))
			}
		}
	},
}

var definitionsAreOurs = Check{
	Name:     "definitions-are-ours",
	Reason:   "A CustomResourceDefinition of the same name that did not come with claimbridge has other versions and other fields.",
	Severity: Problem,
	Remedy:   "Find out who installed it. Keep a backup of its objects before it is replaced.",
	find: func(v *view) {
		for _, plural := range []string{claims, templates} {
			crd, _ := v.definition(plural)
			if crd == nil || ours(crd) {
				continue
			}
			var has []string
			for _, version := range crd.Spec.Versions {
				has = append(has, version.Name)
			}
			v.report(definitions.object("", crd.Name),
				fmt.Sprintf("did not come with claimbridge (it has no category %s): it has the versions %s", ourCategory, strings.Join(has, ", ")),
				say("find out who installed it, and keep a backup of its objects, before it is deleted and claimbridge's is applied; or take a group of your own").
					by(v.kubectl("get", crd.Name, "-A", "-o", "yaml")))
		}
	},
}

var definitionsAreAccepted = Check{
	Name:     "definitions-are-accepted",
	Reason:   "The API server serves a definition only once it has accepted its names and established it, and not while it is being deleted.",
	Severity: Problem,
	Remedy:   "Remove what the message names: mostly another definition with the same kind or short name.",
	find: func(v *view) {
		for _, crd := range v.definitions() {
			object := definitions.object("", crd.Name)
			if terminating := condition(crd, apiextensionsv1.Terminating); crd.DeletionTimestamp != nil {
				v.report(object, "is being deleted"+saying(terminating),
					say("let the deletion end: claims that are left need a server that answers, and those with finalizers whoever set them; then apply the definitions").
						by(v.kubectl("get", "crd", crd.Name, "-o", "jsonpath={.status.conditions}")))
				continue
			}
			names, established := condition(crd, apiextensionsv1.NamesAccepted), condition(crd, apiextensionsv1.Established)
			switch {
			case names != nil && names.Status == apiextensionsv1.ConditionFalse:
				v.report(object, "its names are not accepted"+saying(names), say("have the owner of the other definition that has these names take them out, or delete it").by(v.kubectl("get", "crds")))
			case established == nil || established.Status != apiextensionsv1.ConditionTrue:
				v.report(object, "is not established"+saying(established), say("wait, a new definition needs a few seconds; else see its conditions").
					by(v.kubectl("wait", "--for=condition=Established", "--timeout=30s", "crd/"+crd.Name)))
			}
		}
	},
}

func condition(crd *apiextensionsv1.CustomResourceDefinition, kind apiextensionsv1.CustomResourceDefinitionConditionType) *apiextensionsv1.CustomResourceDefinitionCondition {
	for i := range crd.Status.Conditions {
		if crd.Status.Conditions[i].Type == kind {
			return &crd.Status.Conditions[i]
		}
	}
	return nil
}

func saying(c *apiextensionsv1.CustomResourceDefinitionCondition) string {
	if c == nil || c.Message == "" {
		return ""
	}
	return fmt.Sprintf(": %s", c.Message)
}

var definitionsAreOfThisRelease = Check{
	Name:     "definitions-are-of-this-release",
	Reason:   "API servers drop each field that a schema does not have, what claimbridge keeps in status included, and without the subresource status a main write can set an allocation. Compared with what this program renders: scope and names, versions, subresources and schemas. Short names, columns, deprecation and review versions are only warned of; which versions are served is up to you.",
	Severity: Problem,
	Remedy:   "Apply the definitions of the release that the server runs.",
	find: func(v *view) {
		for _, crd := range v.definitions() {
			for i := range v.options.rendered.definitions {
				if wanted := &v.options.rendered.definitions[i]; wanted.Name == crd.Name {
					v.compareDefinition(wanted, crd)
				}
			}
		}
	},
}
