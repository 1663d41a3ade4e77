package config

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Versions returns the versions of claims, oldest first. By default, all are served. They are read from the manifests,
// so that the package needs only the standard library.
var Versions = sync.OnceValue(func() (names []string) {
	// The longest list is that of the validating webhook, which has all versions. The mutating webhook has only those
	// whose defaults it sets.
	for _, list := range ruleVersionsPattern().FindAllString(embedded("cert-manager.yaml"), -1) {
		if all := strings.Fields(strings.ReplaceAll(list, "- ", ""))[1:]; len(all) > len(names) {
			names = all
		}
	}
	return names
})

// Stored returns the storage version of the CRDs, which is always served.
var Stored = sync.OnceValue(func() string {
	for _, v := range storagePattern().FindAllStringSubmatch(embedded("cert-manager.yaml"), -1) {
		if v[2] == "true" {
			return v[1]
		}
	}
	panic("no version is stored")
})

func embedded(name string) string {
	text, err := rendered.ReadFile("rendered/" + name)
	if err != nil {
		panic(err) // the names are constants
	}
	return string(text)
}

func checkVersions(versions []string) error {
	for _, version := range versions {
		if !slices.Contains(Versions(), version) {
			return fmt.Errorf("version %.100q: must be one of %s", version, strings.Join(Versions(), ", "))
		}
	}
	return nil
}

var (
	// servedPattern matches a version in a CRD, from its name to its field served.
	servedPattern = lazyRegexp(`(?ms)^    name: (\w+)\n    schema:\n.*?^    served: true\n`)
	// storagePattern matches a version in a CRD, from its name to its field storage.
	storagePattern = lazyRegexp(`(?ms)^    name: (\w+)\n    schema:\n.*?^    storage: (\w+)$`)
	// ruleVersionsPattern matches the versions in a rule of a webhook.
	ruleVersionsPattern = lazyRegexp(`(?m)^    apiVersions:\n(?:    - \w+\n)+`)
)

// restrictVersions restricts the served versions to those of the option and the stored one. CRDs keep the others as not
// served, since objects may be stored in them. Webhook rules contain only served versions.
func (o Options) restrictVersions(text string) string {
	if len(o.Versions) == 0 {
		return text
	}
	isServed := func(version string) bool {
		return version == Stored() || slices.Contains(o.Versions, version)
	}
	text = servedPattern().ReplaceAllStringFunc(text, func(part string) string {
		if isServed(servedPattern().FindStringSubmatch(part)[1]) {
			return part
		}
		return strings.TrimSuffix(part, "    served: true\n") + "    served: false\n"
	})
	return ruleVersionsPattern().ReplaceAllStringFunc(text, func(list string) string {
		var kept strings.Builder
		for line := range strings.Lines(list) {
			name, isItem := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "    - ")
			if !isItem || isServed(name) {
				kept.WriteString(line)
			}
		}
		return kept.String()
	})
}
