package main

import (
	"context"
	"strings"

	"sigs.k8s.io/yaml"
)

// Plugin of kubectl, as krew's index has them: https://krew.sigs.k8s.io/docs/developer-guide/plugin-manifest.
type plugin struct {
	APIVersion string         `json:"apiVersion"`
	Kind       string         `json:"kind"`
	Metadata   map[string]any `json:"metadata"`
	Spec       pluginSpec     `json:"spec"`
}

type pluginSpec struct {
	Version          string           `json:"version"`
	Homepage         string           `json:"homepage"`
	ShortDescription string           `json:"shortDescription"`
	Description      string           `json:"description"`
	Platforms        []pluginPlatform `json:"platforms"`
}

type pluginPlatform struct {
	Selector map[string]map[string]string `json:"selector"`
	URI      string                       `json:"uri"`
	SHA256   string                       `json:"sha256"`
	Files    []pluginFile                 `json:"files"`
	Bin      string                       `json:"bin"`
}

type pluginFile struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// makePlugin writes claims.yaml: krew links the program as kubectl-claims, and it goes by that name then.
func (r *release) makePlugin(context.Context) error {
	p := plugin{
		APIVersion: "krew.googlecontainertools.github.com/v1alpha2", Kind: "Plugin", Metadata: map[string]any{"name": "claims"},
		Spec: pluginSpec{
			Version: r.version, Homepage: repository,
			ShortDescription: "Convert ResourceClaims between API versions",
			Description: `Converts ResourceClaims and ResourceClaimTemplates of resource.k8s.io between all of its
versions, from v1alpha1 of Kubernetes 1.26 to v1, in files and folders, with nothing lost;
validates them as the API server of a release does; and installs and checks the webhook
that does so in a cluster.
`,
		},
	}
	for _, a := range r.built {
		system, arch, _ := strings.Cut(a.platform, "/")
		bin := programOf(a.platform)
		p.Spec.Platforms = append(p.Spec.Platforms, pluginPlatform{
			Selector: map[string]map[string]string{"matchLabels": {"os": system, "arch": arch}},
			URI:      r.url(a.name), SHA256: r.sums[a.name], Bin: bin,
			Files: []pluginFile{{From: bin, To: "."}, {From: "LICENSE", To: "."}},
		})
	}
	text, err := yaml.Marshal(p)
	if err != nil {
		return err
	}
	return r.put("claims.yaml", text)
}
