package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

const program = "claimbridge"

// release has the options of a release, and results of its build steps.
type release struct {
	version, root, output, registry string
	platforms                       []string
	allowUncommitted                bool
	log                             io.Writer

	source   source
	changes  string // changelog section of the version
	staging  string // folder next to output, renamed to output at the end
	work     string // temporary folder for intermediate files
	image    string // image name with tag and digest
	archives []archive
	sums     map[string]string // SHA-256 sums of the files that were added so far, by file name
}

// build builds the release. The output folder is created only if all steps succeed.
func (r *release) build(ctx context.Context) (err error) {
	if r.source, err = r.readSource(ctx); err != nil {
		return err
	}
	if r.changes, err = r.readChanges(); err != nil {
		return err
	}
	if err := r.checkOutput(); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(r.output), 0o755); err != nil {
		return err
	}
	if r.staging, err = os.MkdirTemp(filepath.Dir(r.output), ".release-"); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(r.staging) }()
	if r.work, err = os.MkdirTemp("", "release-"); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(r.work) }()
	for _, step := range []struct {
		name string
		run  func(context.Context) error
	}{
		{"image", r.buildImage},
		{"programs", r.buildPrograms},
		{"archives", r.buildArchives},
		{"bills of materials", r.writeSBOMs},
		{"manifests", r.writeManifests},
		{"chart", r.buildChart},
		{"kubectl plugin", r.writePlugin},
		{"notes", r.writeNotes},
		{"provenance", r.writeProvenance},
		{"checksums", r.writeChecksums}, // last, because it covers all other files
	} {
		start := time.Now()
		if err := step.run(ctx); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
		fmt.Fprintf(r.log, "%s: %s\n", step.name, time.Since(start).Round(time.Second))
	}
	if err := os.Chmod(r.staging, 0o755); err != nil {
		return err
	}
	return moveToOutput(r.staging, r.output)
}

// url returns the URL of a file of the published release.
func (r *release) url(name string) string {
	return repository + "/releases/download/" + r.version + "/" + name
}
