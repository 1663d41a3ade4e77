package main

import (
	"context"
	"strings"

	"sigs.k8s.io/yaml"
)

// writePlugin writes claims.yaml, the manifest of the kubectl plugin for krew's index. krew installs the program
// as kubectl-claims. For the format, see https://krew.sigs.k8s.io/docs/developer-guide/plugin-manifest.
func (r *release) writePlugin(context.Context) error {
	var builds []object
	for _, a := range r.archives {
		goos, goarch, _ := strings.Cut(a.platform, "/")
		bin := programFileName(a.platform)
		builds = append(builds, object{
			"selector": object{"matchLabels": object{"os": goos, "arch": goarch}},
			"uri":      r.url(a.name), "sha256": r.sums[a.name], "bin": bin,
			"files": []object{{"from": bin, "to": "."}, {"from": "LICENSE", "to": "."}},
		})
	}
	text, err := yaml.Marshal(object{
		"apiVersion": "krew.googlecontainertools.github.com/v1alpha2",
		"kind":       "Plugin",
		"metadata":   object{"name": "claims"},
		"spec": object{
			"version": r.version, "homepage": repository, "platforms": builds,
			"shortDescription": "Convert ResourceClaims between API versions",
			"description": `Converts ResourceClaims and ResourceClaimTemplates of resource.k8s.io between all of its
versions, from v1alpha1 of Kubernetes 1.26 to v1, in files and folders, and preserves fields
that the target version does not have; validates them as the API server of a release does;
and installs and checks the webhook that converts and validates them in a cluster.
`,
		},
	})
	if err != nil {
		return err
	}
	return r.addFile("claims.yaml", text)
}
