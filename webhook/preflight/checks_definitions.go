package preflight

import (
	"fmt"
	"slices"
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
				fmt.Sprintf("did not come with claimbridge (it has no category %s): it has the versions %s",
					ourCategory, strings.Join(has, ", ")),
				say("find out who installed it, and keep a backup of its objects, before it is deleted and "+
					"claimbridge's is applied; or take a group of your own").
					by(s.kubectl("get", crd.Name, "-A", "-o", "yaml")))
		}
	},
}

var definitionsAreAccepted = &Check{
	Name: "definitions-are-accepted",
	Reason: "A definition is served once its names are accepted and it is established, and not while it is being " +
		"deleted.",
	reads: []resource{definitions},
	find: each((*state).definitions, func(s *state, r *report, crd *apiextensionsv1.CustomResourceDefinition) {
		object := definitions.object("", crd.Name)
		names := apihelpers.FindCRDCondition(crd, apiextensionsv1.NamesAccepted)
		established := apihelpers.FindCRDCondition(crd, apiextensionsv1.Established)
		switch {
		case crd.DeletionTimestamp != nil:
			r.problem(object, "is being deleted"+saying(apihelpers.FindCRDCondition(crd, apiextensionsv1.Terminating)),
				say("let the deletion end: claims that are left need a server that answers, and those with "+
					"finalizers whoever set them; then apply the definitions").
					by(s.kubectl("get", "crd", crd.Name, "-o", "jsonpath={.status.conditions}")))
		case names != nil && names.Status == apiextensionsv1.ConditionFalse:
			r.problem(object, "its names are not accepted"+saying(names),
				say("have the owner of the other definition that has these names take them out, or delete it").
					by(s.kubectl("get", "crds")))
		case established == nil || established.Status != apiextensionsv1.ConditionTrue:
			r.problem(object, "is not established"+saying(established),
				say("wait, a new definition needs a few seconds; else see its conditions").
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

var storedVersionIsNewest = &Check{
	Name: "stored-version-is-newest",
	Reason: "claimbridge keeps claims in " + newest +
		". In an older version what that one has no field for is in annotations, which writes can lose.",
	reads: []resource{definitions},
	find: each((*state).definitions, func(s *state, r *report, crd *apiextensionsv1.CustomResourceDefinition) {
		if stored := storedVersion(crd); stored != newest {
			r.problem(definitions.object("", crd.Name), fmt.Sprintf("stores %s, and not %s", stored, newest),
				s.apply(config.CRDsPart))
		}
	}),
}

var storedVersionsAreMigrated = &Check{
	Name: "stored-versions-are-migrated",
	Reason: "What was stored in an older version stays so until it is written again, and the version cannot be taken " +
		"out of the definition.",
	Warns: true,
	after: []*Check{storedVersionIsNewest},
	reads: []resource{definitions},
	find: each((*state).definitions, func(_ *state, r *report, crd *apiextensionsv1.CustomResourceDefinition) {
		stored := storedVersion(crd)
		old := slices.DeleteFunc(slices.Clone(crd.Status.StoredVersions), func(version string) bool {
			return version == stored
		})
		if len(old) > 0 {
			what := "objects may still be stored in " + strings.Join(old, ", ") + " (status.storedVersions)"
			r.problem(definitions.object("", crd.Name), what,
				say("rewrite the stored objects: docs/operations.md#stored-versions"))
		}
	}),
}

var severalVersionsAreConverted = &Check{
	Name: "several-versions-are-converted",
	Reason: "With conversion strategy None the API server drops every field that the other version does not have. " +
		"What is written back is lost.",
	reads: []resource{definitions},
	find: each((*state).definitions, func(s *state, r *report, crd *apiextensionsv1.CustomResourceDefinition) {
		if several := inUse(crd); len(several) > 1 && !convertsByWebhook(crd) {
			do := s.apply(config.CRDsPart)
			do.text = "before anybody writes, " + do.text
			r.problem(definitions.object("", crd.Name),
				fmt.Sprintf("has conversion strategy None, but %s are served or stored: fields that one of them does "+
					"not have are dropped",
					strings.Join(several, ", ")), do)
		}
	}),
}

// inUse are the versions that are served, or that objects are or may be stored in.
func inUse(crd *apiextensionsv1.CustomResourceDefinition) (names []string) {
	for _, version := range crd.Spec.Versions {
		if version.Served || version.Storage || slices.Contains(crd.Status.StoredVersions, version.Name) {
			names = append(names, version.Name)
		}
	}
	return names
}

var conversionIsNotLeftBehind = &Check{
	Name: "conversion-is-not-left-behind",
	Reason: "claimbridge is gone, but a definition still asks it to convert. Then claims cannot be read or deleted, " +
		"and garbage collection stops in the whole cluster.",
	after: []*Check{groupIsNotBuiltIn},
	reads: []resource{definitions, validatingConfigurations, mutatingConfigurations, services},
	find: each((*state).conversions, func(s *state, r *report, c call) {
		if !s.uninstalled() || c.url != "" || s.service(c.namespace, c.service) != nil {
			return
		}
		do := s.installAll()
		do.text = "install claimbridge again (docs/quick-start.md, \"2. Install\"), or take the conversion out as " +
			"docs/preflight.md shows under \"A conversion that was left behind\""
		r.problem(c.object,
			fmt.Sprintf("asks Service %s/%s to convert, which does not exist, and nothing else of claimbridge is "+
				"there: an uninstall left it behind",
				c.namespace, c.service),
			do)
	}),
}
