// Package quotes reads what docs/troubleshooting.md quotes, for tests that make it.
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

// Read the quotes of the page, a file.
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

// Named is the only one of them with a part that no other quote has, or the one that is all of it.
func Named(all []Quote, part string) (Quote, error) {
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

// holes of a quote, where it has no more than an example: addresses, ports, times, and the group of the installation.
var holes = []struct{ text, pattern string }{
	{`\.\.\.`, `.*`},
	{`current time T is after T`, `current time \S+ is after \S+`},
	{`10\.96\.0\.10:443`, `\S+:\d+`},
	{`\.svc:443/`, `\.svc:\d+/`},
	{`resource\.k8s\.io`, `(?:resource\.k8s\.io|\w+\.example\.com)`},
	{`claims\.example\.com`, `(?:resource\.k8s\.io|\w+\.example\.com)`},
}

// Pattern of what is printed. A quote is a line or a part of one.
func (q Quote) Pattern() *regexp.Regexp {
	text := regexp.QuoteMeta(string(q))
	for _, h := range holes {
		text = strings.ReplaceAll(text, h.text, h.pattern)
	}
	return regexp.MustCompile(text)
}

// In tells whether a text has the quote, which is part of one of its lines, however far columns are apart.
func (q Quote) In(text string) bool {
	pattern := q.Pattern()
	for line := range strings.Lines(text) {
		if pattern.MatchString(strings.Join(strings.Fields(line), " ")) {
			return true
		}
	}
	return false
}
