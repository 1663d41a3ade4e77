package convert

import (
	"fmt"
	"path/filepath"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/kustomization"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/conversion"
)

// sameObjects are those that were told apart by their versions, in a folder or in what a
// kustomization builds, and are not any more: one replaces the other, and kustomize builds neither.
// What was of one version before is nothing that a conversion did.
func (c *compared) sameObjects(to string, p *problems.Log) {
	byFolder, byFile, told := map[string][]one{}, map[string][]one{}, map[string]bool{}
	var folders []string
	for _, o := range c[objects].all {
		file, err := filepath.Abs(o.at.File)
		if err != nil {
			continue
		}
		folder := filepath.Dir(file)
		if byFolder[folder] == nil {
			folders = append(folders, folder)
		}
		byFile[file], byFolder[folder] = append(byFile[file], o), append(byFolder[folder], o)
	}
	// same tells of each object that has the name of one before it, which had another version.
	same := func(all []one, where string, isBuilt bool) {
		first := map[conversion.Header]one{}
		for _, o := range all {
			n := conversion.Header{Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}
			other, twice := first[n]
			switch {
			case !twice:
				first[n] = o
			case other.Version != o.Version && !told[o.at.String()] && o.Name != "":
				told[o.at.String()] = true
				what := problems.What{Rule: finding.SameObject, Text: fmt.Sprintf(
					"is of %s, and %s has one of %s: both are %s, as one object of %s; take one of them away",
					o.Version, other.at, other.Version, where, to)}
				if isBuilt { // kustomize has built both before, and fails now
					p.Refuse(o.at, o.Header, []problems.What{what})
				} else {
					p.Advise(o.at, o.Header, what)
				}
			}
		}
	}
	for _, k := range c[kustomizations].all {
		if folder, err := filepath.Abs(filepath.Dir(k.at.File)); err == nil {
			var built []one
			for _, file := range kustomization.Resources(folder) {
				built = append(built, byFile[file]...)
			}
			same(built, "in what "+k.at.File+" builds", true)
			delete(byFolder, folder)
		}
	}
	for _, folder := range folders {
		same(byFolder[folder], "in one folder", false)
	}
}
