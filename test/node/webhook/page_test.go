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

// page of the documentation.
func page(t *testing.T, name string) string {
	t.Helper()
	text := must.Get(os.ReadFile(filepath.Join("..", "..", "..", "docs", name)))(t)
	return string(text)
}

var commandBlock = regexp.MustCompile("(?m)(?:^    .*\\n)+|^```sh\n((?s:.*?))^```")

// chapter of a page: its blocks of commands, which are set in by four blanks or fenced as sh.
func chapter(t *testing.T, name, title string) (blocks []string) {
	t.Helper()
	_, text, ok := strings.Cut(page(t, name), "\n## "+title+"\n")
	if !ok {
		t.Fatalf("%s has no chapter %q", name, title)
	}
	text, _, _ = strings.Cut(text, "\n## ")
	for _, m := range commandBlock.FindAllStringSubmatch(text, -1) {
		block := m[1] // of a fence
		if block == "" {
			block = strings.TrimPrefix(strings.ReplaceAll("\n"+m[0], "\n    ", "\n"), "\n")
		}
		blocks = append(blocks, strings.TrimSuffix(block, "\n"))
	}
	return blocks
}

// image that the quick start names, in the words of a shell.
func imageOfPage(t *testing.T) string {
	t.Helper()
	for line := range strings.Lines(page(t, "quick-start.md")) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "image=") && !strings.Contains(line, "$(") {
			return line
		}
	}
	t.Fatal("docs/quick-start.md names no image")
	return ""
}

// session of a terminal: commands after "$ ", each with what it prints.
func session(block string) (commands, outputs []string) {
	goesOn := false
	for line := range strings.Lines(block) {
		switch {
		case strings.HasPrefix(line, "$ "):
			commands, outputs = append(commands, line[2:]), append(outputs, "")
		case goesOn:
			commands[len(commands)-1] += line
		default:
			outputs[len(outputs)-1] += line
		}
		goesOn = strings.HasSuffix(strings.TrimRight(line, "\n"), `\`)
	}
	return commands, outputs
}
