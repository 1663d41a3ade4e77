package conversion

import (
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Each entry of moves matches the conversion of some objects.
func TestMovesMatchTheConversion(t *testing.T) {
	const enough, most = 5, 10_000 // one object in some 20 has the field of the rarest row
	s := objects.New(objects.Seed(t))
	for i, old := range versions[:len(versions)-1] {
		rows, next := moves[old], versions[i+1]
		found, seen := make([]int, len(rows)), 0
		for drawn := 0; drawn < most && seen < len(found); drawn++ {
			oldPaths, newPaths := pathsOfStep(t, next, encode(s.Object(old, api.KindClaim)))
			for i, row := range rows {
				if oldPaths[row.Old] && newPaths[row.New] {
					found[i]++
					if found[i] == enough {
						seen++
					}
				}
			}
		}
		for i, row := range rows {
			if found[i] < enough {
				t.Errorf("%s to %s: %s -> %s: found in %d objects of %d", old, next, row.Old, row.New, found[i],
					most)
			}
		}
	}
}

// unmoved are old paths without a new path, each with the reason.
var unmoved = map[string]string{
	"status.allocation.shareable": "all devices of later versions can be shared, and the row of status.allocation " +
		"says where that one cannot",
}

// Each old path that the new version does not have has an entry in moves with its new path.
func TestEveryMovedFieldHasARow(t *testing.T) {
	s := objects.New(objects.Seed(t))
	used := map[string]bool{}
	for i, old := range versions[:len(versions)-1] {
		rows, next := moves[old], versions[i+1]
		missing := map[string]bool{}
		check := func(object []byte) {
			oldPaths, newPaths := pathsOfStep(t, next, object)
			for path := range oldPaths {
				if !newPaths[path] && !hasRow(rows, path) {
					missing[path] = true
				}
			}
		}
		for range 500 {
			check(encode(s.Object(old, api.KindClaim)))
		}
		for _, variant := range variants {
			check(filled(api.New(old, api.KindClaim), variant))
		}
		for path := range missing {
			if unmoved[path] == "" {
				t.Errorf("%s to %s: %s is removed, but moves has no entry for it", old, next, path)
			}
			used[path] = true
		}
	}
	for path := range unmoved {
		if !used[path] {
			t.Errorf("%s is in unmoved, but it is not removed", path)
		}
	}
}

// hasRow reports whether a row covers a path: the path itself, one of its parents, or one of its children.
func hasRow(rows []move, path string) bool {
	return slices.ContainsFunc(rows, func(row move) bool {
		isBelow := strings.HasPrefix(path, row.Old+".") || strings.HasPrefix(path, row.Old+"[]")
		hasChildRows := slices.ContainsFunc(rows, func(other move) bool {
			return strings.HasPrefix(other.Old, row.Old+".")
		})
		return path == row.Old || strings.HasPrefix(row.Old, path+".") || strings.HasPrefix(row.Old, path+"[]") ||
			isBelow && !hasChildRows
	})
}

// pathsOfStep returns the paths of an object before and after a step.
func pathsOfStep(t *testing.T, next string, old []byte) (oldPaths, newPaths map[string]bool) {
	t.Helper()
	new, _ := must.Get2(ConvertJSON(old, next, Options{}))(t)
	return pathsOf(old), pathsOf(new)
}
