//go:build node

package webhook

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// page returns the text of a page in docs.
func page(t *testing.T, name string) string {
	t.Helper()
	text := must.Get(os.ReadFile(filepath.Join("..", "..", "..", "docs", name)))(t)
	return string(text)
}

var commandBlock = regexp.MustCompile("(?m)(?:^    .*\\n)+|^```sh\n((?s:.*?))^```")

// section returns the blocks of commands of a section: those that are indented by four spaces, or fenced as sh.
func section(t *testing.T, name, title string) (blocks []string) {
	t.Helper()
	_, text, ok := strings.Cut(page(t, name), "\n## "+title+"\n")
	if !ok {
		t.Fatalf("%s has no section %q", name, title)
	}
	text, _, _ = strings.Cut(text, "\n## ")
	for _, m := range commandBlock.FindAllStringSubmatch(text, -1) {
		block := m[1] // a fenced block
		if block == "" {
			block = strings.TrimPrefix(strings.ReplaceAll("\n"+m[0], "\n    ", "\n"), "\n")
		}
		blocks = append(blocks, strings.TrimSuffix(block, "\n"))
	}
	return blocks
}

// quickStartImage returns the line of the quick start that sets the variable image.
func quickStartImage(t *testing.T) string {
	t.Helper()
	for line := range strings.Lines(page(t, "quick-start.md")) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "image=") && !strings.Contains(line, "$(") {
			return line
		}
	}
	t.Fatal("docs/quick-start.md does not set the variable image")
	return ""
}

// parseSession splits a terminal session into commands, which follow "$ ", and their outputs.
func parseSession(block string) (commands, outputs []string) {
	continued := false
	for line := range strings.Lines(block) {
		switch {
		case strings.HasPrefix(line, "$ "):
			commands, outputs = append(commands, line[2:]), append(outputs, "")
		case continued:
			commands[len(commands)-1] += line
		default:
			outputs[len(outputs)-1] += line
		}
		continued = strings.HasSuffix(strings.TrimRight(line, "\n"), `\`)
	}
	return commands, outputs
}
