package config

import (
	"fmt"
	"slices"
	"strings"
)

// Versions of claims, oldest first. All are served when nothing else is asked for; objects are stored in the last one.
var Versions = []string{"v1alpha1", "v1alpha2", "v1alpha3", "v1beta1", "v1beta2", "v1"}

func checkVersions(versions []string) error {
	for _, version := range versions {
		if !slices.Contains(Versions, version) {
			return fmt.Errorf("version %.100q: must be one of %s", version, strings.Join(Versions, ", "))
		}
	}
	return nil
}

var (
	// version of a definition, from its name to whether it is served.
	version = pattern(`(?ms)^    name: (\w+)\n    schema:\n.*?^    served: true\n`)
	// ruleVersions of a rule of a webhook.
	ruleVersions = pattern(`(?m)^    apiVersions:\n(?:    - \w+\n)+`)
)

// serve only the versions that are asked for, and that which is stored. Definitions keep the others, since objects may be
// stored in them; rules lose them, so that a rule never names what nobody can write.
func (o Options) serve(text string) string {
	if len(o.Versions) == 0 {
		return text
	}
	served := func(version string) bool {
		return version == Versions[len(Versions)-1] || slices.Contains(o.Versions, version)
	}
	text = version().ReplaceAllStringFunc(text, func(part string) string {
		if served(version().FindStringSubmatch(part)[1]) {
			return part
		}
		return strings.TrimSuffix(part, "    served: true\n") + "    served: false\n"
	})
	return ruleVersions().ReplaceAllStringFunc(text, func(list string) string {
		var kept strings.Builder
		for line := range strings.Lines(list) {
			if name, item := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "    - "); !item || served(name) {
				kept.WriteString(line)
			}
		}
		return kept.String()
	})
}
