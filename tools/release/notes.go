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

// readChanges returns the section of the version in CHANGELOG.md. It is read before anything is built, because a
// release without a section is an error.
func (r *release) readChanges() (string, error) {
	text, err := os.ReadFile(filepath.Join(r.root, "CHANGELOG.md"))
	if err != nil {
		return "", err
	}
	version := strings.TrimPrefix(r.version, "v")
	final, _, _ := strings.Cut(version, "-") // a pre-release has the changes of its final version
	for _, title := range []string{version, final} {
		if changes := changelogSection(string(text), title); changes != "" {
			return changes, nil
		}
	}
	return "", fmt.Errorf("CHANGELOG.md has no section [%s]: add one", version)
}

// writeNotes writes notes with the changes, the image and the commit of the release.
func (r *release) writeNotes(context.Context) error {
	var notes bytes.Buffer
	fmt.Fprintf(&notes, "# claimbridge %s\n\n%s\n\n## Image\n\n    %s\n",
		r.version, r.withAbsoluteLinks([]byte(r.changes)), r.image)
	fmt.Fprintf(&notes,
		"\nBuilt from commit %s with %s. To verify your downloads, run `sha256sum --check --ignore-missing SHA256SUMS`.\n",
		r.source.revision, r.source.compiler)
	return r.addFile("notes.md", notes.Bytes())
}

// changelogSection returns the section of a version without its heading, or "" if there is none. The format of the
// changelog is https://keepachangelog.com.
func changelogSection(text, version string) string {
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
