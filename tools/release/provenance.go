package main

import (
	"context"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// object of JSON, whose members come out in the order of their names.
type object = map[string]any

// makeProvenance says what was built from what, and how, in the words of in-toto and SLSA:
// https://slsa.dev/spec/v1.0/provenance. It has no times and no number of a run, as all of the
// release is the same whenever it is made, and no signature: whoever publishes it signs it.
func (r *release) makeProvenance(context.Context) error {
	image, digest, _ := strings.Cut(r.image, "@sha256:")
	var subject []object
	for _, name := range slices.Sorted(maps.Keys(r.sums)) {
		subject = append(subject, object{"name": name, "digest": object{"sha256": r.sums[name]}})
	}
	subject = append(subject, object{"name": image, "digest": object{"sha256": digest}})
	built, needs, err := r.buildsOf()
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(object{
		"_type":         "https://in-toto.io/Statement/v1",
		"subject":       subject,
		"predicateType": "https://slsa.dev/provenance/v1",
		"predicate": object{
			"buildDefinition": object{
				"buildType": repository + "/blob/" + r.version + "/docs/releases.md#how-a-release-is-made",
				"externalParameters": object{
					"repository": repository, "commit": r.source.commit, "version": r.version,
				},
				"internalParameters": object{
					"script": ".ci/program", "environment": r.settings(), "compiler": r.source.compiler,
					"builds": built,
				},
				"resolvedDependencies": needs,
			},
			"runDetails": object{"builder": object{"id": repository + "/tree/" + r.version + "/tools/release"}},
		},
	}, "", "  ")
	if err != nil {
		return err
	}
	return r.put("provenance.intoto.json", append(text, '\n'))
}

// buildsOf all programs with what Go says of each, and all that went into them: the commit, the
// compiler and modules by their sums.
func (r *release) buildsOf() (built, needs []object, err error) {
	modules := map[string]string{}
	for _, a := range r.built {
		info, err := buildinfo.ReadFile(r.file(a.platform))
		if err != nil {
			return nil, nil, err
		}
		settings := object{}
		for _, s := range info.Settings {
			settings[s.Key] = s.Value
		}
		built = append(built, object{"program": programOf(a.platform), "platform": a.platform, "settings": settings})
		for _, m := range info.Deps {
			modules[m.Path+"@"+m.Version] = m.Sum
		}
	}
	needs = []object{
		{"uri": "git+" + repository + "@" + r.source.commit, "digest": object{"gitCommit": r.source.commit}},
		{"name": r.source.compiler, "uri": "pkg:golang/toolchain@" + strings.TrimPrefix(r.source.compiler, "go")},
	}
	for _, id := range slices.Sorted(maps.Keys(modules)) {
		hash, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(modules[id], "h1:"))
		if err != nil {
			return nil, nil, fmt.Errorf("%s: sum %q: %w", id, modules[id], err)
		}
		needs = append(needs, object{"uri": "pkg:golang/" + id, "digest": object{"dirHash": hex.EncodeToString(hash)}})
	}
	return built, needs, nil
}
