// Package ignore reads patterns of files to leave out, as .gitignore has them, and says which files they leave out.
package ignore

import (
	"errors"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Pattern of a line.
type Pattern struct {
	base     string // folder in which it stands
	glob     string
	anchored bool // to the folder; else it is of names, wherever they are below
	folder   bool // only folders match
	negated  bool // what matches is not left out
}

// Parse a pattern that holds below a folder, whose path has slashes.
func Parse(line, folder string) (Pattern, error) {
	p := Pattern{base: folder}
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
	if !known || glob == "" || !doublestar.ValidatePattern(glob) {
		return p, errors.New("is not a pattern as .gitignore has them: a bracket or a backslash stands alone")
	}
	p.glob = glob
	return p, nil
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

func (p *Pattern) matches(name string, folder bool) bool {
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
