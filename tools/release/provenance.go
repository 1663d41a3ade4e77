package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	slsa "github.com/in-toto/attestation/go/predicates/provenance/v1"
	intoto "github.com/in-toto/attestation/go/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"
)

const provenanceFile = "provenance.intoto.json"

// makeProvenance says what was built from what, and how, in the words of in-toto and SLSA. It has no times and no number of a run, as all
// of the release is the same whenever it is made, and no signature: whoever publishes it signs it.
func (r *release) makeProvenance(context.Context) error {
	all, err := r.sums()
	if err != nil {
		return err
	}
	statement := &intoto.Statement{Type: intoto.StatementTypeUri, PredicateType: "https://slsa.dev/provenance/v1"}
	for _, s := range all {
		statement.Subject = append(statement.Subject, &intoto.ResourceDescriptor{Name: s.name, Digest: map[string]string{"sha256": s.sha256}})
	}
	image, digest, _ := strings.Cut(r.image, "@sha256:")
	statement.Subject = append(statement.Subject, &intoto.ResourceDescriptor{Name: image, Digest: map[string]string{"sha256": digest}})
	provenance, err := r.provenance()
	if err != nil {
		return err
	}
	if err := provenance.Validate(); err != nil {
		return err
	}
	predicate, err := protojson.Marshal(provenance)
	if err != nil {
		return err
	}
	statement.Predicate = &structpb.Struct{}
	if err := protojson.Unmarshal(predicate, statement.Predicate); err != nil {
		return err
	}
	if err := statement.Validate(); err != nil {
		return err
	}
	text, err := protojson.Marshal(statement)
	if err != nil {
		return err
	}
	var indented bytes.Buffer // protojson puts spaces where chance wants them
	if err := json.Indent(&indented, text, "", "  "); err != nil {
		return err
	}
	return r.put(provenanceFile, append(indented.Bytes(), '\n'))
}

func (r *release) provenance() (*slsa.Provenance, error) {
	external, err := structpb.NewStruct(map[string]any{"repository": repository, "commit": r.source.commit, "version": r.version})
	if err != nil {
		return nil, err
	}
	var built []any
	modules := map[string]string{}
	for _, a := range r.built {
		info, err := buildinfo.ReadFile(r.file(a.platform))
		if err != nil {
			return nil, err
		}
		settings := map[string]any{}
		for _, s := range info.Settings {
			settings[s.Key] = s.Value
		}
		built = append(built, map[string]any{"program": programOf(a.platform), "platform": a.platform, "settings": settings})
		for _, m := range info.Deps {
			modules[m.Path+"@"+m.Version] = m.Sum
		}
	}
	internal, err := structpb.NewStruct(map[string]any{
		"script": ".ci/program", "environment": list(r.settings()), "compiler": r.source.compiler, "builds": built,
	})
	if err != nil {
		return nil, err
	}
	resolved := []*intoto.ResourceDescriptor{
		{Uri: "git+" + repository + "@" + r.source.commit, Digest: map[string]string{"gitCommit": r.source.commit}},
		{Name: r.source.compiler, Uri: "pkg:golang/toolchain@" + strings.TrimPrefix(r.source.compiler, "go")},
	}
	for _, id := range slices.Sorted(maps.Keys(modules)) {
		hash, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(modules[id], "h1:"))
		if err != nil {
			return nil, fmt.Errorf("%s: sum %q: %w", id, modules[id], err)
		}
		resolved = append(resolved, &intoto.ResourceDescriptor{Uri: "pkg:golang/" + id, Digest: map[string]string{"dirHash": hex.EncodeToString(hash)}})
	}
	return &slsa.Provenance{
		BuildDefinition: &slsa.BuildDefinition{
			BuildType:          repository + "/blob/" + r.version + "/docs/releases.md#how-a-release-is-made",
			ExternalParameters: external, InternalParameters: internal, ResolvedDependencies: resolved,
		},
		RunDetails: &slsa.RunDetails{Builder: &slsa.Builder{Id: repository + "/tree/" + r.version + "/tools/release"}},
	}, nil
}

func list(texts []string) (all []any) {
	for _, text := range texts {
		all = append(all, text)
	}
	return all
}
