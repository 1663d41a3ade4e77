package main

import (
	"context"
	"fmt"
)

// exampleGroup is what the manifests of the release have for the group of the claims, as the pages
// do: it is good for every cluster, and whoever wants another one has the command.
const exampleGroup = "claims.example.com"

// makeManifests of each way to get certificates, as the released program writes them, with the
// digest of the image, and of what watches.
func (r *release) makeManifests(ctx context.Context) error {
	for _, part := range []string{"alerts", "dashboard"} {
		if err := r.makeManifest(ctx, part, "--only="+part); err != nil {
			return err
		}
	}
	for _, certificates := range []string{"self", "cert-manager", "files"} {
		err := r.makeManifest(ctx, "install-"+certificates, "--group="+exampleGroup, "--image="+r.image,
			"--certificates="+certificates)
		if err != nil {
			return err
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
