package main

import (
	"context"
	"fmt"
)

// exampleGroup is the API group of the claims in the manifests of the release, as in the documentation. It works in
// every cluster. For another group, users run `claimbridge manifests`.
const exampleGroup = "claims.example.com"

// writeManifests writes the manifests that the released program prints: an installation for each certificate mode,
// with the digest of the image, and the objects for monitoring.
func (r *release) writeManifests(ctx context.Context) error {
	for _, name := range []string{"alerts", "dashboard"} {
		if err := r.writeManifest(ctx, name, "--only="+name); err != nil {
			return err
		}
	}
	for _, certificates := range []string{"self", "cert-manager", "files"} {
		err := r.writeManifest(ctx, "install-"+certificates, "--group="+exampleGroup, "--image="+r.image,
			"--certificates="+certificates)
		if err != nil {
			return err
		}
	}
	return nil
}

// writeManifest writes the manifests that the program prints with arguments.
func (r *release) writeManifest(ctx context.Context, name string, args ...string) error {
	text, err := r.runProgram(ctx, append([]string{"manifests"}, args...)...)
	if err != nil {
		return err
	}
	return r.addFile(fmt.Sprintf("%s_%s_%s.yaml", program, r.version, name), text)
}
