// Package kustomization finds the files that kustomizations name: patches, replacements and resources.
package kustomization

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/claimbridge/claimbridge/internal/files"
	"github.com/claimbridge/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// Index finds the files that kustomizations name as patches and replacements. Patches are parts of objects, which no
// release can validate. A kustomization is read once, at the first lookup of a file in or below its directory. An Index
// may be used by several goroutines.
type Index struct {
	byDir sync.Map // from a directory to the *references of its kustomization
}

// references are the files that a kustomization names.
type references struct {
	patches      map[string][]Target
	replacements map[string]bool
}

// Target is the target of a patch. Its fields are regular expressions, and an empty field matches any object.
type Target struct{ Group, Kind string }

// IsPatch reports whether a kustomization in the directory of a file, or above it in the same repository,
// names the file as a patch.
func (i *Index) IsPatch(file string) bool {
	return len(i.PatchTargets(file)) > 0
}

// PatchTargets returns the targets of a file that a kustomization in its directory, or above it in the same repository,
// names as a patch; none if no kustomization does.
func (i *Index) PatchTargets(file string) []Target {
	targets, _ := i.find(file)
	return targets
}

// PatchDir returns the directory of the kustomization that names a file as a patch, or "".
func (i *Index) PatchDir(file string) string {
	_, dir := i.find(file)
	return dir
}

func (i *Index) find(file string) (targets []Target, dir string) {
	dir = i.findDir(file, func(refs *references, path string) bool {
		targets = refs.patches[path]
		return len(targets) > 0
	})
	return targets, dir
}

// ReplacementsDir returns the directory of the kustomization that names a file for its replacements, or "".
func (i *Index) ReplacementsDir(file string) string {
	return i.findDir(file, func(refs *references, path string) bool { return refs.replacements[path] })
}

// findDir returns the nearest directory whose kustomization names a file: that of the file, or one above it in the same
// repository. It returns "" if there is none.
func (i *Index) findDir(file string, isNamed func(refs *references, path string) bool) string {
	if file == input.StandardInput {
		return ""
	}
	file, err := filepath.Abs(file)
	if err != nil {
		return ""
	}
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		if isNamed(i.referencesOf(dir), file) {
			return dir
		}
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil || dir == filepath.Dir(dir) {
			return ""
		}
	}
}

func (i *Index) referencesOf(dir string) *references {
	if known, isKnown := i.byDir.Load(dir); isKnown {
		return known.(*references) //nolint:forcetypeassert // nothing else is stored
	}
	refs := &references{patches: map[string][]Target{}, replacements: map[string]bool{}}
	for _, name := range yamldoc.KustomizationNames {
		k := read(filepath.Join(dir, name))
		patches := slices.Concat(k.Patches, k.PatchesJSON6902)
		for _, path := range k.PatchesStrategicMerge {
			patches = append(patches, patch{Path: path})
		}
		for _, p := range patches { // an inline patch has an empty path, which names no file
			file := filepath.Join(dir, filepath.FromSlash(p.Path))
			refs.patches[file] = append(refs.patches[file], p.Target)
		}
		for _, r := range k.Replacements {
			if r.Path != "" {
				refs.replacements[filepath.Join(dir, filepath.FromSlash(r.Path))] = true
			}
		}
	}
	i.byDir.Store(dir, refs)
	return refs
}

// maxResources limits the resources of a kustomization, so that a hostile one does not take long.
const maxResources = 1000

// Resources returns the files from which the kustomization of a directory builds objects, including the files of
// kustomizations that it names, missing files and remote resources. Files of bases and components that add a prefix or
// suffix to names are not included.
func Resources(dir string) (all []string) {
	return listResources(dir, false)
}

// AllResources returns the files of Resources, and those of bases and components that add a prefix or suffix to names.
func AllResources(dir string) []string {
	return listResources(dir, true)
}

// DisplayPath returns the path of a resource relative to the directory of its kustomization, for messages.
func DisplayPath(dir, file string) string {
	path, err := filepath.Rel(dir, file)
	if err != nil {
		return file
	}
	path = filepath.ToSlash(path)
	// filepath.Join turned https:// into https:/.
	if scheme, address, isURL := strings.Cut(path, ":/"); isURL {
		return scheme + "://" + address
	}
	return path
}

func listResources(dir string, includeRenamed bool) (all []string) {
	seen := map[string]bool{}
	var walk func(path string)
	walk = func(path string) {
		if seen[path] || len(seen) > maxResources {
			return
		}
		seen[path] = true
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			all = append(all, path)
			return
		}
		for _, name := range yamldoc.KustomizationNames {
			k := read(filepath.Join(path, name))
			if !includeRenamed && path != dir && k.NamePrefix+k.NameSuffix != "" {
				continue
			}
			for _, below := range slices.Concat(k.Resources, k.Bases, k.Components) {
				walk(filepath.Join(path, filepath.FromSlash(below)))
			}
		}
	}
	walk(dir)
	return all
}

// kustomizationFile has the fields of a kustomization that name files, and those that change names.
type kustomizationFile struct {
	Patches                                             []patch
	PatchesJSON6902                                     []patch
	Replacements                                        []struct{ Path string }
	PatchesStrategicMerge, Resources, Bases, Components []string
	NamePrefix, NameSuffix                              string
}

// patch is a patch that a kustomization names. It is inline if it has no path.
type patch struct {
	Path   string
	Target Target
}

// read reads a kustomization. It returns no files if the kustomization cannot be read.
func read(file string) (k kustomizationFile) {
	text, _, err := files.Read(files.At(file))
	if err != nil {
		return k
	}
	d, err := yamldoc.NewReader(bytes.NewReader(text), file).Next()
	if err != nil {
		return k
	}
	if object, err := d.Object(false); err != nil || json.Unmarshal(object, &k) != nil {
		return kustomizationFile{}
	}
	return k
}
