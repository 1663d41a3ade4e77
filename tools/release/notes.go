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

// readChanges of the version from CHANGELOG.md. A version that it does not know is looked for
// before anything is built: a release nobody wrote about is none.
func (r *release) readChanges() (string, error) {
	text, err := os.ReadFile(filepath.Join(r.root, "CHANGELOG.md"))
	if err != nil {
		return "", err
	}
	version := strings.TrimPrefix(r.version, "v")
	core, _, _ := strings.Cut(version, "-")
	for _, title := range []string{version, core} { // what comes before a version has its notes
		if changes := section(string(text), title); changes != "" {
			return changes, nil
		}
	}
	return "", fmt.Errorf("CHANGELOG.md has no section [%s] that says what changed", version)
}

// makeNotes of what changed, and of which image belongs to the release.
func (r *release) makeNotes(context.Context) error {
	var notes bytes.Buffer
	fmt.Fprintf(&notes, "# claimbridge %s\n\n%s\n\n## Image\n\n    %s\n", r.version, r.withLinks([]byte(r.changes)),
		r.image)
	fmt.Fprintf(&notes,
		"\nMade from commit %s with %s. `sha256sum --check --ignore-missing SHA256SUMS` compares what you fetched.\n",
		r.source.revision, r.source.compiler)
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
