package convert

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/input"
)

// once leaves out files that were listed before, by another name of theirs, as there may be where several names were given.
func once(all []input.File, names int, writes bool) (each []input.File, err error) {
	seen := map[string]bool{}
	several := names > 1 || slices.ContainsFunc(all, func(f input.File) bool { return f.Link })
	for _, f := range all {
		if f.IsStandardInput() && writes {
			return nil, errors.New("standard input cannot be written to")
		}
		if several && f.Err == nil && !f.IsStandardInput() {
			path, err := filepath.EvalSymlinks(f.Path)
			if err == nil {
				path, err = filepath.Abs(path)
			}
			if err == nil && seen[path] {
				continue
			}
			seen[path] = true // what cannot be looked at is for reading it to say
		}
		each = append(each, f)
	}
	return each, nil
}

// apart makes sure that no two files become the same one.
func apart(all []input.File, folder string) error {
	from := map[string]string{}
	for _, f := range all {
		if f.Err != nil {
			continue
		}
		if other, taken := from[f.Below]; taken {
			return fmt.Errorf("%s and %s would both become %s: name a folder that holds both", other, f.Path, filepath.Join(folder, f.Below))
		}
		from[f.Below] = f.Path
	}
	return nil
}
