package yamldoc

import (
	"strings"
	"testing"
)

func TestBlocksKeepTheirPositions(t *testing.T) {
	for name, test := range map[string]struct {
		page, blocks string // where . stands for a blank
	}{
		"a block":                {"a\n```yaml\nb: 1\n```\nc\n", ".\n---....\nb: 1\n---\n.\n"},
		"with other line ends":   {"a\r\n```yaml\r\nb: 1\r\n```\r\n", ".\r\n---....\r\nb: 1\r\n---\r\n"},
		"in four tildes":         {"~~~~ YML\nb: 1\n~~~\n~~~~~\n", "---.....\nb: 1\n~~~\n---..\n"},
		"with an info string":    {"```json,lines title=x\n{}\n```", "---..................\n{}\n---"},
		"in a list":              {"- a\n  ```yaml\n  b: 1\n\n  ```\n", "...\n---......\n  b: 1\n\n---..\n"},
		"that begins an item":    {"10. ```yaml\n    b: 1\n    ```\n", "---........\n    b: 1\n---....\n"},
		"with a fence as a text": {"```yaml\nb: |\n      ```\n```\n", "---....\nb: |\n      ```\n---\n"},
		"in a list, with documents": {
			"1. ```yaml\n   b: 1\n   ---\r\n   c: |\n    ---\n   --- # d\n   ```\n",
			"---.......\n...b: 1\n---...\r\n...c: |\n....---\n...---.#.d\n---...\n",
		},
		"to the end": {"```yaml\nb: 1", "---....\nb: 1"},
		"that ends with its list": {
			"- ```yaml\n  b: 1\nc\n```yaml\nd: 1\n```\n",
			".........\n......\n.\n---....\nd: 1\n---\n",
		},
		"of another language":         {"```sh\n```yaml\n```\n", ".....\n.......\n...\n"},
		"no block: a word in a line":  {"a ```yaml\nb: 1\n```\n", ".........\n....\n...\n"},
		"no block: ticks behind":      {"```yaml``\nb: 1\n", ".........\n....\n"},
		"no block: in a block quote":  {"> ```yaml\n> b: 1\n> ```\n", ".........\n......\n.....\n"},
		"of a page with letters of é": {"é\n```yaml\né: 1\n```\né\n", "..\n---....\né: 1\n---\n..\n"},
		"no page":                     {"", ""},
	} {
		blocks := Blocks([]byte(test.page))
		if got := strings.ReplaceAll(string(blocks), " ", "."); got != strings.ReplaceAll(test.blocks, " ", ".") {
			t.Errorf("%s: %q, want %q", name, got, test.blocks)
		}
		if !inPlace(test.page, blocks) {
			t.Errorf("%s: %q is not in its place", name, blocks)
		}
	}
}

// inPlace reports whether blocks have the length of their page, and each byte of them is that of the page, blank, or
// part of a separator in the place of a fence or of an indented separator.
func inPlace(page string, blocks []byte) bool {
	if len(blocks) != len(page) {
		return false
	}
	for line := range strings.Lines(page) {
		separates := strings.HasPrefix(string(blocks), "---") &&
			(strings.ContainsAny(line, "`~") || strings.TrimSpace(line) == "---")
		for i := range len(line) {
			if !separates && blocks[i] != line[i] && blocks[i] != ' ' {
				return false
			}
		}
		blocks = blocks[len(line):]
	}
	return true
}

func FuzzBlocks(f *testing.F) {
	f.Add("- ```yaml\n  a: 1\n  ```\n~~~json\n{}\n")
	f.Fuzz(func(t *testing.T, page string) {
		if blocks := Blocks([]byte(page)); !inPlace(page, blocks) {
			t.Errorf("%q of %q", blocks, page)
		}
	})
}
