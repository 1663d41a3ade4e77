package preflight

import (
	"fmt"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/claimbridge/claimbridge/config"
)

// versionsChecks are about versions of objects: in which one they are stored, and whether they are converted.
var versionsChecks = []Check{
	storedVersionIsNewest,
	storedVersionsAreMigrated,
	severalVersionsAreConverted,
	conversionIsNotLeftBehind,
}

var storedVersionIsNewest = Check{
	Name:     "stored-version-is-newest",
	Reason:   "claimbridge keeps claims in " + newest + ". In an older version what that one has no field for is in annotations, which writes can lose.",
	Severity: Problem,
	Remedy:   "Apply the manifests again: they store " + newest + ".",
	find: func(v *view) {
		for _, crd := range v.definitions() {
			if stored := storedVersion(crd); stored != newest {
				v.report(definitions.object("", crd.Name), fmt.Sprintf("stores %s, the newest version is %s", stored, newest), v.apply(config.CRDsPart))
			}
		}
	},
}

func storedVersion(crd *apiextensionsv1.CustomResourceDefinition) string {
	for _, version := range crd.Spec.Versions {
		if version.Storage {
			return version.Name
		}
	}
	return "" // an API server accepts no definition without one
}

var storedVersionsAreMigrated = Check{
	Name:     "stored-versions-are-migrated",
	Reason:   "Objects that were stored in an older version stay so until they are written again. As long as status.storedVersions names that version it cannot be taken out of the definition.",
	Severity: Warning,
	Remedy:   "Run claimbridge migrate: it rewrites every object, and then takes the old versions out of status.storedVersions.",
	find: func(v *view) {
		if v.found(storedVersionIsNewest) {
			return // first the newest has to be stored
		}
		for _, crd := range v.definitions() {
			stored := storedVersion(crd)
			old := slices.DeleteFunc(slices.Clone(crd.Status.StoredVersions), func(version string) bool { return version == stored })
			if len(old) == 0 {
				continue
			}
			v.report(definitions.object("", crd.Name), "objects may still be stored in "+strings.Join(old, ", ")+" (status.storedVersions)",
				v.migrate())
		}
	},
}

// migrate what is stored.
func (v *view) migrate() remedy {
	return say("rewrite what is stored in an older version").by(
		shell("claimbridge", append([]string{"migrate"}, v.options.ClusterFlags...), []string{"--group=" + v.options.Group}))
}

var severalVersionsAreConverted = Check{
	Name:     "several-versions-are-converted",
	Reason:   "With conversion strategy None the API server only changes apiVersion and drops every field that the other version does not have. What is written back is lost.",
	Severity: Problem,
	Remedy:   "Apply the manifests again, before anybody writes.",
	find: func(v *view) {
		for _, crd := range v.definitions() {
			if several := inUse(crd); len(several) > 1 && !convertsByWebhook(crd) {
				v.report(definitions.object("", crd.Name),
					fmt.Sprintf("has conversion strategy None, but %s are served or stored: fields that one of them does not have are dropped", strings.Join(several, ", ")),
					v.convertAgain())
			}
		}
	},
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

func (v *view) convertAgain() remedy {
	r := v.apply(config.CRDsPart)
	r.text = "before anybody writes, " + r.text
	return r
}

var conversionIsNotLeftBehind = Check{
	Name:     "conversion-is-not-left-behind",
	Reason:   "claimbridge is gone, but a definition still asks it to convert. Then claims cannot be read or deleted, and garbage collection and the deletion of namespaces stop in the whole cluster.",
	Severity: Problem,
	Remedy:   "Install claimbridge again, or take the definition out of use as docs/preflight.md shows.",
	find: func(v *view) {
		if v.groupIsBuiltIn() {
			return // group-is-not-built-in says that the definitions have to go
		}
		for _, c := range v.leftBehind() {
			v.report(c.object, fmt.Sprintf("asks Service %s/%s to convert, which does not exist, and nothing else of claimbridge is there: an uninstall left it behind", c.namespace, c.service),
				v.comeBack())
		}
	},
}

// leftBehind are the conversions that nobody is there for any more.
func (v *view) leftBehind() (all []call) {
	conversions := v.conversions()
	if len(conversions) == 0 || !v.uninstalled() {
		return nil
	}
	for _, c := range conversions {
		if c.url == "" {
			if service, seen := v.service(c.namespace, c.service); service == nil && seen {
				all = append(all, c)
			}
		}
	}
	return all
}

// comeBack to where the definitions call.
func (v *view) comeBack() remedy {
	r := v.installAll()
	r.text = "install claimbridge again, with --image=... unless your cluster can pull " + config.DefaultImage + ", or take the conversion out as docs/preflight.md shows under \"A conversion that was left behind\""
	return r
}
