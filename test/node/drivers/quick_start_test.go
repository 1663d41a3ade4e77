//go:build node && aggregated

package drivers

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// Section of the quick start that these tests own.
const section = "\n## A pod with a device, asked for in v1beta1\n"

// The section, word for word: the commands in their order. What it shows of an output is what a user sees, but for names that are drawn and ages.
func TestQuickStart(t *testing.T) {
	t.Parallel()
	c := start(t)
	page, err := os.ReadFile("../../../docs/quick-start.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(page), section)
	text, _, _ = strings.Cut(text, "\n## ")
	if !ok {
		t.Fatalf("the quick start has no section %q", section)
	}
	commands, compared := 0, 0
	var shown []string
	compare := func(said string) {
		if len(shown) > 0 {
			compared++
			if want, got := drawn(strings.Join(shown, "\n")), drawn(said); want != got {
				t.Errorf("the page shows\n%s\nand it says\n%s", want, got)
			}
		}
		shown = nil
	}
	said := ""
	for line := range strings.Lines(text) {
		command, indented := strings.CutPrefix(strings.TrimRight(line, "\n"), "    ")
		command, shows := strings.CutPrefix(command, "$ ")
		switch {
		case !indented:
			continue
		case shows, strings.HasPrefix(command, "kubectl "), strings.HasPrefix(command, "claimbridge "):
			compare(said)
			commands++
			said = c.run(t, command)
			t.Logf("$ %s\n%s", command, said)
		default:
			shown = append(shown, command)
		}
	}
	compare(said)
	if commands < 8 || compared < 3 {
		t.Errorf("only %d commands were run, and what %d say was compared", commands, compared)
	}
}

var (
	names  = regexp.MustCompile(`training-gpu-[a-z0-9]{5}|[0-9a-f]{8}-[0-9a-f-]{27}`)
	device = regexp.MustCompile(`(GPU_DEVICE_|gpu-)\d+`)
	ages   = regexp.MustCompile(`\b(\d+m)?\d+s\b|\b\d+m\b`)
)

// drawn names and ages, and how far columns are apart, are not what a page is about.
func drawn(text string) string {
	text = ages.ReplaceAllString(device.ReplaceAllString(names.ReplaceAllString(text, "NAME"), "${1}N"), "AGE")
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
