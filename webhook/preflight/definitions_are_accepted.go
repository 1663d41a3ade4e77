package preflight

import (
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

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
