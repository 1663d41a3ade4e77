package migrate

import (
	"fmt"
	"path/filepath"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/kustomization"
)

// objectsByPlace has the objects in files, by directory and by file.
type objectsByPlace struct {
	dirs          []string // in the order of the input
	byDir, byFile map[string][]findings.Subject
}

func (f *Facts) objectsByPlace() objectsByPlace {
	places := objectsByPlace{byDir: map[string][]findings.Subject{}, byFile: map[string][]findings.Subject{}}
	for _, o := range f.byKind[kindObjectsInFiles].all {
		file, err := filepath.Abs(o.subject.Position.File)
		if err != nil {
			continue
		}
		dir := filepath.Dir(file)
		if places.byDir[dir] == nil {
			places.dirs = append(places.dirs, dir)
		}
		places.byFile[file] = append(places.byFile[file], o.subject)
		places.byDir[dir] = append(places.byDir[dir], o.subject)
	}
	return places
}

// sameObjects returns findings about objects with the same kind and name, in a directory or in the build of a
// kustomization, that had different versions before the conversion. After it, applying one replaces the other, and
// kustomize rejects the build. Objects that had the same version before are not reported.
func (f *Facts) sameObjects(to string) (all []findings.Finding) {
	places := f.objectsByPlace()
	reported := map[string]bool{} // by the position of the second object
	report := func(severity findings.Severity, objects []findings.Subject, where string) {
		for _, pair := range sameNames(objects) {
			first, second := pair[0], pair[1]
			if reported[second.Position.String()] {
				continue
			}
			reported[second.Position.String()] = true
			all = append(all, second.New(severity, findings.SameObject, "", fmt.Sprintf(
				"has the kind and the name of the object of %s in %s; after the conversion to %s both are one object in %s: "+
					"remove one of them",
				first.Header.Version, first.Position, to, where)))
		}
	}
	for _, k := range f.byKind[kindKustomizations].all {
		file := k.subject.Position.File
		dir, err := filepath.Abs(filepath.Dir(file))
		if err != nil {
			continue
		}
		var built []findings.Subject
		for _, resource := range kustomization.Resources(dir) {
			built = append(built, places.byFile[resource]...)
		}
		// kustomize built both objects before the conversion, and rejects them after it.
		report(findings.Error, built, "the build of "+file)
		delete(places.byDir, dir)
	}
	for _, dir := range places.dirs {
		report(findings.Warning, places.byDir[dir], "the same directory")
	}
	return all
}

// sameNames returns pairs of objects that have the same name and kind, and different versions: the first one of the
// name, and another.
func sameNames(all []findings.Subject) (pairs [][2]findings.Subject) {
	named := map[conversion.Header]findings.Subject{}
	for _, o := range all {
		if o.Header.Name == "" {
			continue
		}
		name := conversion.Header{Kind: o.Header.Kind, Namespace: o.Header.Namespace, Name: o.Header.Name}
		first, found := named[name]
		if !found {
			named[name] = o
		} else if first.Header.Version != o.Header.Version {
			pairs = append(pairs, [2]findings.Subject{first, o})
		}
	}
	return pairs
}
