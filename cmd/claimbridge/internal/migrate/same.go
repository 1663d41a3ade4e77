package migrate

import (
	"fmt"
	"path/filepath"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/kustomization"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/internal/conversion"
)

// sameObjects are those that were told apart by their versions, in a folder or in what a
// kustomization builds, and are not any more: one replaces the other, and kustomize builds neither.
// What was of one version before is nothing that a conversion did.
func (c *compared) sameObjects(to string, p *problems.Log) {
	byFolder, byFile := map[string][]one{}, map[string][]one{}
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
	reported := map[string]bool{} // by the place of the second object
	report := func(all []one, where string, tell func(yamldoc.Position, conversion.Header, problems.What)) {
		for _, pair := range sameNames(all) {
			first, second := pair[0], pair[1]
			if reported[second.at.String()] {
				continue
			}
			reported[second.at.String()] = true
			text := fmt.Sprintf("is of %s, and %s has one of %s: both are %s, as one object of %s; take one of them away",
				second.Version, first.at, first.Version, where, to)
			tell(second.at, second.Header, problems.What{Rule: finding.SameObject, Text: text})
		}
	}
	refuse := func(at yamldoc.Position, h conversion.Header, what problems.What) {
		p.Refuse(at, h, []problems.What{what})
	}
	for _, k := range c[kustomizations].all {
		if folder, err := filepath.Abs(filepath.Dir(k.at.File)); err == nil {
			var built []one
			for _, file := range kustomization.Resources(folder) {
				built = append(built, byFile[file]...)
			}
			// kustomize has built both before, and fails now.
			report(built, "in what "+k.at.File+" builds", refuse)
			delete(byFolder, folder)
		}
	}
	for _, folder := range folders {
		report(byFolder[folder], "in one folder", p.Advise)
	}
}

// sameNames returns pairs of objects that have the same name and kind, and different versions: the first one of the
// name, and another.
func sameNames(all []one) (pairs [][2]one) {
	named := map[conversion.Header]one{}
	for _, o := range all {
		if o.Name == "" {
			continue
		}
		name := conversion.Header{Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}
		first, found := named[name]
		if !found {
			named[name] = o
		} else if first.Version != o.Version {
			pairs = append(pairs, [2]one{first, o})
		}
	}
	return pairs
}
