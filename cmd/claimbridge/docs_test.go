package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func page(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../../" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A command that nobody finds is not there.
func TestThePageOfTheCommandLineHasEveryCommand(t *testing.T) {
	text := page(t, "docs/command-line.md")
	list, _, _ := strings.Cut(text, "\n`claimbridge COMMAND --help`")
	for _, command := range newRootCommand().Commands() {
		if name := command.Name(); !strings.Contains(list, "\n    claimbridge "+name+" ") {
			t.Errorf("docs/command-line.md does not begin with a line for claimbridge %s", name)
		} else if !strings.Contains(text, "\n## "+name+"\n") {
			t.Errorf("docs/command-line.md has no chapter for claimbridge %s", name)
		}
	}
}

// What the README shows is what convert gives, and that becomes the first claim again.
func TestTheClaimOfTheREADME(t *testing.T) {
	blocks := strings.Split(page(t, "README.md"), "```yaml\n")
	if len(blocks) < 3 {
		t.Fatal("README.md has no two claims in YAML")
	}
	before, _, _ := strings.Cut(blocks[1], "```")
	after, _, _ := strings.Cut(blocks[2], "```")
	for _, way := range []struct{ from, version, to string }{{before, "v1alpha3", after}, {after, "v1alpha2", before}} {
		got, said, code := claimbridge(t, way.from, "convert", "--to", way.version)
		if code != 0 {
			t.Fatalf("exit code %d: %s", code, said)
		}
		if diff := cmp.Diff(way.to, got); diff != "" {
			t.Errorf("to %s (-README.md +convert):\n%s", way.version, diff)
		}
	}
}
