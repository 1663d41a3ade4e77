package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestRelativeLinksBecomeAbsolute(t *testing.T) {
	const site = "https://github.com/claimbridge/claimbridge"
	for text, want := range map[string]string{
		"[files](docs/files.md), [plugin](docs/a.md#b)": "[files](" + site + "/blob/v0.2.0/docs/files.md), [plugin](" +
			site + "/blob/v0.2.0/docs/a.md#b)",
		"![A terminal: [a] claim](docs/terminal.svg)": "![A terminal: [a] claim](" + site +
			"/raw/v0.2.0/docs/terminal.svg)",
		"[a library](#library)":           "[a library](#library)",
		"[semantic](https://semver.org)":  "[semantic](https://semver.org)",
		"conversion.JSON(object, \"v1\")": "conversion.JSON(object, \"v1\")",
	} {
		if got := string((&release{version: "v0.2.0"}).withAbsoluteLinks([]byte(text))); got != want {
			t.Errorf("links of %q: got %q, want %q", text, got, want)
		}
	}
}

// TestArchivedFilesHaveNoDeadLinks checks that files in the archive and the notes have no relative links, and that the
// targets of their absolute links exist.
func TestArchivedFilesHaveNoDeadLinks(t *testing.T) {
	r := release{root: "../..", version: "v0.2.0", staging: t.TempDir()}
	entries := must(r.rootFiles(t.Context()))(t)
	r.changes = "see [releases](docs/releases.md)"
	mustDo(t, r.writeNotes(t.Context()))
	notes := must(os.ReadFile(filepath.Join(r.staging, "notes.md")))(t)
	entries = append(entries, entry{Name: "notes.md", Content: notes})
	// Links in Markdown and in HTML.
	link := regexp.MustCompile(`\]\([^)]*\)|\b(?:src|href)=\S+|(?m:^ {0,3}\[[^\]]+\]: .*)`)
	count := 0
	for _, e := range entries {
		for _, target := range link.FindAllString(string(e.Content), -1) {
			if !strings.HasPrefix(target, "](#") && !strings.Contains(target, "https://") {
				t.Errorf("%s: the target of %s is not in the archive", e.Name, target)
			}
			_, page, _ := strings.Cut(target, "https://github.com/claimbridge/claimbridge/")
			_, file, isVersioned := strings.Cut(page, "/v0.2.0/")
			if !isVersioned {
				continue
			}
			count++
			file, _, _ = strings.Cut(strings.TrimSuffix(file, ")"), "#")
			if _, err := os.Stat(filepath.Join(r.root, file)); err != nil {
				t.Errorf("%s: %v", e.Name, err)
			}
		}
	}
	if count < 20 {
		t.Errorf("got %d links to the repository, want at least 20", count)
	}
}

// TestChecksumCommandsInDocs runs the commands in docs/releases.md and the notes that verify downloads, when only some
// files are downloaded.
func TestChecksumCommandsInDocs(t *testing.T) {
	if _, err := exec.LookPath("sha256sum"); err != nil {
		t.Skip("this machine has no sha256sum")
	}
	r := release{staging: t.TempDir(), version: "v0.2.0"}
	for name, text := range map[string]string{"first": "1", "second": "2", "third": "3"} {
		mustDo(t, r.addFile(name, []byte(text)))
	}
	mustDo(t, r.writeChecksums(t.Context()))
	mustDo(t, os.Remove(filepath.Join(r.staging, "second")))
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
				args := strings.Fields(command)
				check := exec.CommandContext(t.Context(), args[0], args[1:]...)
				check.Dir = r.staging
				if out, err := check.CombinedOutput(); (err == nil) != test.succeeds {
					t.Errorf("%s: %s with %s files: got error %v, want success: %t\n%s", name, command, state, err,
						test.succeeds, out)
				}
			}
		}
	}
}
