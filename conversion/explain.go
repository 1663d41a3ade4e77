package conversion

import (
	"fmt"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// Explain says in a line each which fields of an object go where when it is converted to a version, step by step.
// Fields that keep their paths are left out. It names paths, never values. What travels as a leftover is in the Report
// of the conversion.
func Explain(object []byte, version string) ([]string, error) {
	header, err := ReadHeader(object)
	if err != nil {
		return nil, failure(header, version, err)
	}
	from, to := indexOf(header.Version), indexOf(version)
	prefix := ""
	if header.Kind == api.KindTemplate {
		prefix = "spec."
	}
	var lines []string
	for from != to && from >= 0 && to >= 0 {
		next := from + 1
		if to < from {
			next = from - 1
		}
		converted, _, err := JSON(object, versions[next], Options{OmitDefaults: true})
		if err != nil {
			return lines, err
		}
		had, has := map[string]bool{}, map[string]bool{}
		paths(object, had)
		paths(converted, has)
		for _, m := range moves[versions[min(from, next)]] {
			source, target := prefix+m.Old, prefix+m.New
			if next < from {
				source, target = target, source
			}
			if !had[source] || !has[target] {
				continue
			}
			line := fmt.Sprintf("%s -> %s: %s -> %s", versions[from], versions[next], source, target)
			if m.Note != "" {
				line += " (" + m.Note + ")"
			}
			lines = append(lines, line)
		}
		object = converted
		from = next
	}
	return lines, nil
}

// maxExplained is how deep paths are looked at: no row of moves is longer, and deeper are only a driver's parameters.
const maxExplained = 16

// paths collects the paths of all values of an object, elements of a list being [].
func paths(object []byte, has map[string]bool) {
	s := kjson.New(object) // it converts, so it is JSON
	var walk func(path string, depth int)
	walk = func(path string, depth int) {
		if depth > maxExplained {
			s.Skip()
			return
		}
		has[path] = true
		switch {
		case s.Is('{'):
			for name := range s.Members() {
				walk(kjson.JoinPath(path, name), depth+1)
			}
		case s.Is('['):
			for range s.Elements() {
				walk(path+"[]", depth+1)
			}
		default:
			s.Skip()
		}
	}
	walk("", 0)
}
