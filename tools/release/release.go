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

// release that is being made.
type release struct {
	version, root, output, registry string
	platforms                       []string
	uncommitted                     bool
	log                             io.Writer

	source  source
	changes string // of the version, from the changelog
	staging string // folder beside output, which takes its place at the end
	work    string // folder for what is no part of the release
	image   string // name with tag and digest
	built   []archive
	sums    map[string]string // of all files of the release so far, by name
}

// make the release. It appears whole or not at all.
func (r *release) make(ctx context.Context) (err error) {
	if r.source, err = r.readSource(ctx); err != nil {
		return err
	}
	if r.changes, err = r.readChanges(); err != nil {
		return err
	}
	if err := r.isFree(); err != nil {
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
		do   func(context.Context) error
	}{
		{"image", r.makeImage},
		{"programs", r.makePrograms},
		{"archives", r.makeArchives},
		{"bills of materials", r.makeBills},
		{"manifests", r.makeManifests},
		{"chart", r.makeChart},
		{"plugin of kubectl", r.makePlugin},
		{"notes", r.makeNotes},
		{"provenance", r.makeProvenance},
		{"checksums", r.makeChecksums}, // of all that is there
	} {
		begun := time.Now()
		if err := step.do(ctx); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
		fmt.Fprintf(r.log, "%s: %s\n", step.name, time.Since(begun).Round(time.Second))
	}
	if err := os.Chmod(r.staging, 0o755); err != nil {
		return err
	}
	return replace(r.staging, r.output)
}

// url that a file of the release is fetched from once it is published.
func (r *release) url(name string) string {
	return repository + "/releases/download/" + r.version + "/" + name
}
