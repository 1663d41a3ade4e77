package preflight

import "fmt"

var claimbridgeIsInstalled = Check{
	Name:     "claimbridge-is-installed",
	Reason:   "Before an installation this is expected, and the other checks tell whether the cluster is fit for it.",
	Severity: Problem,
	Remedy:   "Install claimbridge, or say where it is with --group and --namespace.",
	find: func(v *view) {
		if v.aside().groupIsBuiltIn() {
			return // group-is-not-built-in says that it must not be
		}
		if v.absent() {
			v.report(Object{Kind: "API group", Name: v.options.Group},
				fmt.Sprintf("has no definitions of claims, and claimbridge is not in namespace %s", v.options.Namespace),
				v.installAll())
		}
	},
}

// absent tells that nothing of claimbridge is there: all of it was seen to be missing.
func (v *view) absent() bool {
	for _, plural := range []string{claims, templates} {
		if crd, seen := v.definition(plural); crd != nil || !seen {
			return false
		}
	}
	deployment, seen := v.deployment()
	return deployment == nil && seen && v.uninstalled()
}
