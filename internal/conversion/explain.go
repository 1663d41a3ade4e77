package conversion

import (
	"cmp"
	"fmt"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// Explain returns a line for each field of an object whose path changes in a conversion to a version. It converts the
// object from each version to the next. The lines have paths, never values. Preserved data is in the Report of a
// conversion.
func Explain(object []byte, version string) ([]string, error) {
	header, err := ReadHeader(object)
	if err != nil {
		return nil, newError(header, version, err)
	}
	if err := cmp.Or(checkVersion(header.Version), checkVersion(version)); err != nil {
		return nil, newError(header, version, err)
	}
	from, to := indexOf(header.Version), indexOf(version)
	prefix := ""
	if header.Kind == api.KindTemplate {
		prefix = "spec."
	}
	var lines []string
	for from != to {
		next := from + 1
		if to < from {
			next = from - 1
		}
		converted, _, err := ConvertJSON(object, versions[next], Options{OmitDefaults: true})
		if err != nil {
			return lines, err
		}
		oldPaths, newPaths := pathsOf(object), pathsOf(converted)
		for _, m := range moves[versions[min(from, next)]] {
			source, target := prefix+m.Old, prefix+m.New
			if next < from {
				source, target = target, source
			}
			if !oldPaths[source] || !newPaths[target] {
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

// maxPathDepth is the number of levels whose paths are collected. No path in moves is longer.
const maxPathDepth = 16

// pathsOf returns the set of the paths of all values of an object. The elements of a list have the path [].
func pathsOf(object []byte) map[string]bool {
	found := map[string]bool{}
	s := objectjson.NewScanner(object) // it was converted, so it is JSON
	var walk func(path string, depth int)
	walk = func(path string, depth int) {
		if depth > maxPathDepth {
			s.Skip()
			return
		}
		found[path] = true
		switch {
		case s.Is('{'):
			for name := range s.Members() {
				walk(objectjson.JoinPath(path, name), depth+1)
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
	return found
}
