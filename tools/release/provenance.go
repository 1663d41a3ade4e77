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

// object is a JSON object. Its members are encoded in the order of their names.
type object = map[string]any

// writeProvenance writes the provenance of the release as an in-toto statement with an SLSA predicate:
// https://slsa.dev/spec/v1.0/provenance. It has neither a time nor a run ID, because the release is reproducible. The
// publisher of the release signs it.
func (r *release) writeProvenance(context.Context) error {
	image, digest, _ := strings.Cut(r.image, "@sha256:")
	var subject []object
	for _, name := range slices.Sorted(maps.Keys(r.sums)) {
		subject = append(subject, object{"name": name, "digest": object{"sha256": r.sums[name]}})
	}
	subject = append(subject, object{"name": image, "digest": object{"sha256": digest}})
	programs, dependencies, err := r.builds()
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
					"script": ".ci/program", "environment": r.buildEnv(), "compiler": r.source.compiler,
					"builds": programs,
				},
				"resolvedDependencies": dependencies,
			},
			"runDetails": object{"builder": object{"id": repository + "/tree/" + r.version + "/tools/release"}},
		},
	}, "", "  ")
	if err != nil {
		return err
	}
	return r.addFile("provenance.intoto.json", append(text, '\n'))
}

// builds returns the programs with their build settings, and their dependencies: the commit, the compiler, and the
// modules with their checksums.
func (r *release) builds() (programs, dependencies []object, err error) {
	modules := map[string]string{}
	for _, a := range r.archives {
		info, err := buildinfo.ReadFile(r.programPath(a.platform))
		if err != nil {
			return nil, nil, err
		}
		settings := object{}
		for _, s := range info.Settings {
			settings[s.Key] = s.Value
		}
		programs = append(programs, object{
			"program": programFileName(a.platform), "platform": a.platform, "settings": settings,
		})
		for _, m := range info.Deps {
			if m.Replace == nil { // a replaced module is in the commit, which is a dependency itself
				modules[m.Path+"@"+m.Version] = m.Sum
			}
		}
	}
	dependencies = []object{
		{"uri": "git+" + repository + "@" + r.source.commit, "digest": object{"gitCommit": r.source.commit}},
		{"name": r.source.compiler, "uri": "pkg:golang/toolchain@" + strings.TrimPrefix(r.source.compiler, "go")},
	}
	for _, id := range slices.Sorted(maps.Keys(modules)) {
		hash, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(modules[id], "h1:"))
		if err != nil {
			return nil, nil, fmt.Errorf("%s: sum %q: %w", id, modules[id], err)
		}
		dependencies = append(dependencies,
			object{"uri": "pkg:golang/" + id, "digest": object{"dirHash": hex.EncodeToString(hash)}})
	}
	return programs, dependencies, nil
}
