// Package quotes reads the texts that docs/troubleshooting.md quotes, for tests that produce them.
package quotes

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Quote of the page: a line that begins with >, or the first column of the table of log lines.
type Quote string

var logLine = regexp.MustCompile("(?m)^\\| `([^`]+)` \\|")

// Read returns the quotes of a page.
func Read(file string) (all []Quote, err error) {
	page, err := os.ReadFile(filepath.FromSlash(file))
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(page)) {
		if text, ok := strings.CutPrefix(strings.TrimSpace(line), "> "); ok {
			all = append(all, Quote(text))
		}
	}
	for _, cell := range logLine.FindAllStringSubmatch(string(page), -1) {
		all = append(all, Quote(cell[1]))
	}
	return all, nil
}

// Find returns the quote that is equal to a text, or else the only quote that contains it.
func Find(all []Quote, part string) (Quote, error) {
	if slices.Contains(all, Quote(part)) {
		return Quote(part), nil
	}
	var found []Quote
	for _, q := range all {
		if strings.Contains(string(q), part) {
			found = append(found, q)
		}
	}
	if len(found) != 1 {
		return "", fmt.Errorf("%q is in %d quotes of docs/troubleshooting.md: %q", part, len(found), found)
	}
	return found[0], nil
}

// placeholders are parts of quotes that are only examples: addresses, ports, times, and the group of the installation.
var placeholders = []struct{ text, pattern string }{
	{`\.\.\.`, `.*`},
	{`current time T is after T`, `current time \S+ is after \S+`},
	{`10\.96\.0\.10:443`, `\S+:\d+`},
	{`\.svc:443/`, `\.svc:\d+/`},
	{`resource\.k8s\.io`, `(?:resource\.k8s\.io|\w+\.example\.com)`},
	{`claims\.example\.com`, `(?:resource\.k8s\.io|\w+\.example\.com)`},
}

// Pattern returns a pattern for the printed text. A quote is a line or a part of one.
func (q Quote) Pattern() *regexp.Regexp {
	text := regexp.QuoteMeta(string(q))
	for _, p := range placeholders {
		text = strings.ReplaceAll(text, p.text, p.pattern)
	}
	return regexp.MustCompile(text)
}

// IsIn reports whether one of the lines of a text contains the quote. The width of spaces is ignored.
func (q Quote) IsIn(text string) bool {
	pattern := q.Pattern()
	for line := range strings.Lines(text) {
		if pattern.MatchString(strings.Join(strings.Fields(line), " ")) {
			return true
		}
	}
	return false
}
