package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// makeNotes of what changed, from CHANGELOG.md, and of which images belong to the release.
func (r *release) makeNotes(context.Context) error {
	text, err := os.ReadFile(filepath.Join(r.root, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	changes, heading := section(string(text), strings.TrimPrefix(r.version, "v")), r.version
	if changes == "" {
		changes, heading = section(string(text), "Unreleased"), r.version+" (not released)"
		fmt.Fprintf(r.log, "note: CHANGELOG.md has no section [%s]: the notes are those of [Unreleased]\n", strings.TrimPrefix(r.version, "v"))
	}
	if changes == "" {
		return fmt.Errorf("CHANGELOG.md has neither a section [%s] nor one that is not empty of what is [Unreleased]", strings.TrimPrefix(r.version, "v"))
	}
	var notes bytes.Buffer
	fmt.Fprintf(&notes, "# claimbridge %s\n\n%s\n\n## Images\n\n", heading, changes)
	for _, name := range []string{program, apiserver} {
		fmt.Fprintf(&notes, "    %s\n", r.images[name])
	}
	fmt.Fprintf(&notes, "\nMade from commit %s with %s. `sha256sum --check SHA256SUMS` compares what you fetched.\n", r.source.revision, r.source.compiler)
	return r.put("notes.md", notes.Bytes())
}

// section of a changelog in the form of keepachangelog.com, without its heading.
func section(text, version string) string {
	begin := regexp.MustCompile(`(?m)^## \[` + regexp.QuoteMeta(version) + `\].*\n`).FindStringIndex(text)
	if begin == nil {
		return ""
	}
	text = text[begin[1]:]
	if end := regexp.MustCompile(`(?m)^(## |\[[^\]]+\]: )`).FindStringIndex(text); end != nil {
		text = text[:end[0]]
	}
	return strings.TrimSpace(text)
}
