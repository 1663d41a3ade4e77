package main

import (
	"context"
	"fmt"
)

// exampleGroup is what the manifests of the release have for the group of the claims, as the pages do: it is good for every cluster, and
// whoever wants another one has the command.
const exampleGroup = "claims.example.com"

// makeManifests of each way to get certificates, as the released program writes them, with the digests of the images, and of what watches.
func (r *release) makeManifests(ctx context.Context) error {
	for _, part := range []string{"alerts", "dashboard"} {
		for name, args := range map[string][]string{part: nil, "aggregated-" + part: {"--aggregated"}} {
			if err := r.makeManifest(ctx, name, append(args, "--only="+part)...); err != nil {
				return err
			}
		}
	}
	for _, certificates := range []string{"self", "cert-manager", "files"} {
		for name, args := range map[string][]string{
			"install-" + certificates:            {"--group=" + exampleGroup, "--image=" + r.images[program]},
			"install-aggregated-" + certificates: {"--aggregated", "--force", "--image=" + r.images[apiserver]},
		} {
			if err := r.makeManifest(ctx, name, append(args, "--certificates="+certificates)...); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *release) makeManifest(ctx context.Context, name string, args ...string) error {
	text, err := r.ask(ctx, append([]string{"manifests"}, args...)...)
	if err != nil {
		return err
	}
	return r.put(fmt.Sprintf("%s_%s_%s.yaml", program, r.version, name), text)
}
