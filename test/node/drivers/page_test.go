//go:build node && aggregated

package drivers

import (
	"os"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/troubleshooting/quotes"
)

// commands of a page: the lines of the block that stands below a text, each with what it goes on with.
func commands(t *testing.T, name, below string) (lines []string) {
	t.Helper()
	text, err := os.ReadFile("../../../docs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(strings.ReplaceAll(string(text), "\\\n", ""), below)
	if !ok {
		t.Fatalf("%s does not say %q any more", name, below)
	}
	for line := range strings.Lines(rest) {
		command, indented := strings.CutPrefix(strings.TrimRight(line, "\n"), "    ")
		switch {
		case indented:
			lines = append(lines, command)
		case len(lines) > 0:
			return lines
		}
	}
	t.Fatalf("%s has no commands below %q", name, below)
	return nil
}

// quoted is what the page on troubleshooting quotes, by a part of it.
func quoted(t *testing.T, part string) quotes.Quote {
	t.Helper()
	all, err := quotes.Read("../../../docs/troubleshooting.md")
	if err != nil {
		t.Fatal(err)
	}
	found, err := quotes.Named(all, part)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// install the aggregated API server by the words of its page, with other flags of the manifests where they are given.
func (c *cluster) install(t *testing.T, flags string) {
	t.Helper()
	for _, command := range commands(t, "aggregated.md", "In a cluster of Kubernetes 1.36 or later:") {
		if manifests := "claimbridge manifests --aggregated --certificates=self"; flags != "" {
			command = strings.Replace(command, manifests, manifests+" "+flags, 1)
		}
		if strings.HasPrefix(command, "kubectl get ") {
			c.await(t, command) // kubectl knows a version some time after it is available
		} else {
			c.run(t, command)
		}
	}
}
