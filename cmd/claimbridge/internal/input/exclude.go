package input

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Exclude are the patterns of files that are left out of folders.
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

// leavesOut reports whether a pattern matches a path, or a folder that it is in. A pattern without
// a slash matches names, at any depth. Another one matches paths as messages have them.
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

// parent of a path with slashes: "." for a name alone, and "/" for one in the root.
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
