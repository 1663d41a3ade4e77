package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestLinksReferToTheVersion(t *testing.T) {
	const at = "https://github.com/claimbridge/claimbridge"
	for text, want := range map[string]string{
		"[files](docs/files.md), [plugin](docs/a.md#b)": "[files](" + at + "/blob/v0.2.0/docs/files.md), [plugin](" +
			at + "/blob/v0.2.0/docs/a.md#b)",
		"![A terminal: [a] claim](docs/terminal.svg)": "![A terminal: [a] claim](" + at +
			"/raw/v0.2.0/docs/terminal.svg)",
		"[a library](#library)":           "[a library](#library)",
		"[semantic](https://semver.org)":  "[semantic](https://semver.org)",
		"conversion.JSON(object, \"v1\")": "conversion.JSON(object, \"v1\")",
	} {
		if got := string((&release{version: "v0.2.0"}).withAbsoluteLinks([]byte(text))); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// TestPagesOfTheArchiveHaveNoDeadLinks checks that pages in the archive have no relative links, and that the files
// behind their absolute links exist.
func TestPagesOfTheArchiveHaveNoDeadLinks(t *testing.T) {
	r := release{root: "../..", version: "v0.2.0", staging: t.TempDir()}
	entries := must(r.pages(t.Context()))(t)
	r.changes = "see [releases](docs/releases.md)"
	mustDo(t, r.writeNotes(t.Context()))
	notes := must(os.ReadFile(filepath.Join(r.staging, "notes.md")))(t)
	entries = append(entries, entry{Name: "notes.md", Content: notes})
	// Links in Markdown and in HTML.
	link := regexp.MustCompile(`\]\([^)]*\)|\b(?:src|href)=\S+|(?m:^ {0,3}\[[^\]]+\]: .*)`)
	count := 0
	for _, e := range entries {
		for _, found := range link.FindAllString(string(e.Content), -1) {
			_, file, isOwn := strings.Cut(found, "https://github.com/claimbridge/claimbridge/")
			if !isOwn && !strings.HasPrefix(found, "](#") && !strings.Contains(found, "https://") {
				t.Errorf("%s: the target of %s is not in the archive", e.Name, found)
			}
			if _, file, isOwn = strings.Cut(file, "/v0.2.0/"); isOwn {
				count++
				file, _, _ = strings.Cut(strings.TrimSuffix(file, ")"), "#")
				if _, err := os.Stat(filepath.Join(r.root, file)); err != nil {
					t.Errorf("%s: %v", e.Name, err)
				}
			}
		}
	}
	if count < 20 {
		t.Errorf("pages have %d links to the repository", count)
	}
}

// TestChecksumCommandsInDocs runs the commands in docs/releases.md and in the notes that verify a download of some
// files.
func TestChecksumCommandsInDocs(t *testing.T) {
	if _, err := exec.LookPath("sha256sum"); err != nil {
		t.Skip("this machine has no sha256sum")
	}
	r := release{staging: t.TempDir(), version: "v0.2.0"}
	for name, text := range map[string]string{"one": "1", "other": "2", "third": "3"} {
		mustDo(t, r.addFile(name, []byte(text)))
	}
	mustDo(t, r.writeChecksums(t.Context()))
	mustDo(t, os.Remove(filepath.Join(r.staging, "other")))
	page := must(os.ReadFile("../../docs/releases.md"))(t)
	mustDo(t, r.writeNotes(t.Context()))
	notes := must(os.ReadFile(filepath.Join(r.staging, "notes.md")))(t)
	for name, text := range map[string]string{"docs/releases.md": string(page), "notes.md": string(notes)} {
		commands := regexp.MustCompile(`sha256sum .*?`+sumsFile).FindAllString(text, -1)
		if len(commands) == 0 {
			t.Errorf("%s has no command that verifies checksums", name)
		}
		for _, command := range commands {
			for state, test := range map[string]struct {
				third    string
				succeeds bool
			}{"unchanged": {"3", true}, "changed": {"4", false}} {
				mustDo(t, r.addFile("third", []byte(test.third)))
				words := strings.Fields(command)
				check := exec.CommandContext(t.Context(), words[0], words[1:]...)
				check.Dir = r.staging
				if out, err := check.CombinedOutput(); (err == nil) != test.succeeds {
					t.Errorf("%s: %s of %s files: %v\n%s", name, command, state, err, out)
				}
			}
		}
	}
}
