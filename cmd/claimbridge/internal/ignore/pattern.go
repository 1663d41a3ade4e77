// Package ignore reads patterns of files to leave out, as .gitignore has them, and says which files they leave out.
package ignore

import (
	"bytes"
	"errors"
	"iter"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Pattern of a line.
type pattern struct {
	base     string // folder in which it stands
	glob     string
	anchored bool // to the folder; else it is of names, wherever they are below
	folder   bool // only folders match
	negated  bool // what matches is not left out
}

// Patterns in the order in which they were read. The last one that matches counts.
type Patterns []pattern

var errPattern = errors.New("is not a pattern as .gitignore has them: a bracket or a backslash stands alone")

// lines of a file that are patterns, which stands in a folder, whose path has slashes. One that is none never matches, as in git.
func lines(text []byte, folder string) iter.Seq[pattern] {
	return func(yield func(pattern) bool) {
		for line := range strings.Lines(string(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")))) {
			line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
			if strings.HasPrefix(line, "#") {
				continue
			}
			if p, ok := parse(line, folder); ok && !yield(p) {
				return
			}
		}
	}
}

// One pattern that somebody gave by a flag, who is told when it is none.
func One(line, folder string) (Patterns, error) {
	p, ok := parse(line, folder)
	if !ok {
		return nil, errPattern
	}
	return Patterns{p}, nil
}

func parse(line, folder string) (p pattern, ok bool) {
	p.base = folder
	line = withoutSpaces(line)
	line, p.negated = strings.CutPrefix(line, "!")
	line, p.folder = strings.CutSuffix(line, "/")
	line, p.anchored = strings.CutPrefix(line, "/")
	p.anchored = p.anchored || strings.Contains(line, "/")
	// What is below a folder is not the folder itself.
	if rest, below := strings.CutSuffix(line, "/**"); below {
		line = rest + "/**/*"
	}
	glob, known := translated(line)
	p.glob = glob
	return p, known && line != "" && doublestar.ValidatePattern(p.glob)
}

// withoutSpaces at the end, unless a backslash stands before them.
func withoutSpaces(line string) string {
	trimmed := strings.TrimRight(line, " ")
	backslashes := len(trimmed) - len(strings.TrimRight(trimmed, `\`))
	if len(trimmed) < len(line) && backslashes%2 == 1 {
		return trimmed + " "
	}
	return trimmed
}

// Match says whether a file or folder, whose path has slashes, is left out, and whether any of the patterns says something of it.
func (all Patterns) Match(name string, folder bool) (left, said bool) {
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].matches(name, folder) {
			return !all[i].negated, true
		}
	}
	return false, false
}

func (p *pattern) matches(name string, folder bool) bool {
	if p.folder && !folder {
		return false
	}
	below, ok := strings.CutPrefix(name, p.base)
	if !ok || below == "" || !strings.HasSuffix(p.base, "/") && below[0] != '/' {
		return false
	}
	below = strings.TrimPrefix(below, "/")
	if !p.anchored {
		below = path.Base(below)
	}
	return doublestar.MatchUnvalidated(p.glob, below)
}
