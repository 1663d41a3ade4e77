package input

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Exclude is a list of patterns of files that are excluded from directories.
type Exclude []string

// Check returns an error that names a pattern that is not valid.
func (e Exclude) Check() error {
	for _, pattern := range e {
		if pattern == "" || !doublestar.ValidatePattern(pattern) {
			return fmt.Errorf("%q is not a pattern: use *, **, ?, [a-z] and {a,b}", pattern)
		}
	}
	return nil
}

// matches reports whether a pattern matches a path, or a directory that contains it. A pattern without a slash matches
// names at any depth. A pattern with a slash matches paths as messages show them.
func (e Exclude) matches(path string) bool {
	for at := filepath.ToSlash(path); at != "." && at != "/"; at = parent(at) {
		for _, pattern := range e {
			pattern = strings.TrimSuffix(pattern, "/")
			subject := at
			if !strings.Contains(pattern, "/") {
				subject = at[strings.LastIndexByte(at, '/')+1:]
			}
			if doublestar.MatchUnvalidated(pattern, subject) {
				return true
			}
		}
	}
	return false
}

// parent returns the parent of a path with slashes: "." for a name alone, and "/" for a name in the root.
func parent(path string) string {
	at := strings.LastIndexByte(path, '/')
	if at < 0 {
		return "."
	}
	if at == 0 {
		return "/"
	}
	return path[:at]
}
