package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestLinksOfAPageLeadToTheVersion(t *testing.T) {
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
		if got := string((&release{version: "v0.2.0"}).withLinks([]byte(text))); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// Pages that come without the repository name no file that is not beside them.
func TestPagesOfTheArchiveHaveNoDeadLinks(t *testing.T) {
	r := release{root: "../..", version: "v0.2.0", staging: t.TempDir()}
	entries := must(r.pages(t.Context()))(t)
	r.changes = "see [releases](docs/releases.md)"
	mustDo(t, r.makeNotes(t.Context()))
	notes := must(os.ReadFile(filepath.Join(r.staging, "notes.md")))(t)
	entries = append(entries, entry{Name: "notes.md", Content: notes})
	// however Markdown and HTML write them
	link := regexp.MustCompile(`\]\([^)]*\)|\b(?:src|href)=\S+|(?m:^ {0,3}\[[^\]]+\]: .*)`)
	led := 0
	for _, e := range entries {
		for _, found := range link.FindAllString(string(e.Content), -1) {
			_, file, ours := strings.Cut(found, "https://github.com/claimbridge/claimbridge/")
			if !ours && !strings.HasPrefix(found, "](#") && !strings.Contains(found, "https://") {
				t.Errorf("%s: %s leads to nothing", e.Name, found)
			}
			if _, file, ours = strings.Cut(file, "/v0.2.0/"); ours {
				led++
				file, _, _ = strings.Cut(strings.TrimSuffix(file, ")"), "#")
				if _, err := os.Stat(filepath.Join(r.root, file)); err != nil {
					t.Errorf("%s: %v", e.Name, err)
				}
			}
		}
	}
	if led < 20 {
		t.Errorf("pages have %d links into the repository", led)
	}
}

// Who fetched two files of a release checks them as the page and the notes say.
func TestSumsOfSomeFilesAreChecked(t *testing.T) {
	if _, err := exec.LookPath("sha256sum"); err != nil {
		t.Skip("this machine has no sha256sum")
	}
	r := release{staging: t.TempDir(), version: "v0.2.0"}
	for name, text := range map[string]string{"one": "1", "other": "2", "third": "3"} {
		mustDo(t, r.put(name, []byte(text)))
	}
	mustDo(t, r.makeChecksums(t.Context()))
	mustDo(t, os.Remove(filepath.Join(r.staging, "other")))
	page := must(os.ReadFile("../../docs/releases.md"))(t)
	mustDo(t, r.makeNotes(t.Context()))
	notes := must(os.ReadFile(filepath.Join(r.staging, "notes.md")))(t)
	for name, text := range map[string]string{"docs/releases.md": string(page), "notes.md": string(notes)} {
		commands := regexp.MustCompile(`sha256sum .*?`+sumsFile).FindAllString(text, -1)
		if len(commands) == 0 {
			t.Errorf("%s does not say how sums are checked", name)
		}
		for _, command := range commands {
			for is, test := range map[string]struct {
				third string
				holds bool
			}{"as they were": {"3", true}, "changed": {"4", false}} {
				mustDo(t, r.put("third", []byte(test.third)))
				words := strings.Fields(command)
				check := exec.CommandContext(t.Context(), words[0], words[1:]...)
				check.Dir = r.staging
				if out, err := check.CombinedOutput(); (err == nil) != test.holds {
					t.Errorf("%s: %s of files %s: %v\n%s", name, command, is, err, out)
				}
			}
		}
	}
}
