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
// release can validate. Kustomizations are read once, when a file in or below their folder is asked for. An Index may
// be used by several goroutines.
type Index struct {
	folders sync.Map // from a folder to the *references of its kustomization
}

// references are the files that a kustomization names.
type references struct {
	patches      map[string][]Target
	replacements map[string]bool
}

// Target is the target of a patch. Its fields are regular expressions, and an empty field matches any object.
type Target struct{ Group, Kind string }

// IsPatch reports whether a kustomization in the folder of a file, or above it in the same repository,
// names the file as a patch.
func (i *Index) IsPatch(file string) bool {
	return len(i.PatchTargets(file)) > 0
}

// PatchTargets returns the targets of a file that a kustomization in its folder, or above it in the same repository,
// names as a patch; none if no kustomization does.
func (i *Index) PatchTargets(file string) []Target {
	targets, _ := i.find(file)
	return targets
}

// PatchFolder returns the folder of the kustomization that names a file as a patch, or "".
func (i *Index) PatchFolder(file string) string {
	_, folder := i.find(file)
	return folder
}

func (i *Index) find(file string) (targets []Target, folder string) {
	folder = i.findFolder(file, func(n *references, path string) bool {
		targets = n.patches[path]
		return len(targets) > 0
	})
	return targets, folder
}

// ReplacementsFolder returns the folder of the kustomization that names a file for its replacements, or "".
func (i *Index) ReplacementsFolder(file string) string {
	return i.findFolder(file, func(n *references, path string) bool { return n.replacements[path] })
}

// findFolder returns the folder of a file, or above it in the same repository, whose kustomization names the file, or
// "".
func (i *Index) findFolder(file string, isNamed func(n *references, path string) bool) string {
	if file == input.StandardInput {
		return ""
	}
	file, err := filepath.Abs(file)
	if err != nil {
		return ""
	}
	for folder := filepath.Dir(file); ; folder = filepath.Dir(folder) {
		if isNamed(i.referencesOf(folder), file) {
			return folder
		}
		if _, err := os.Lstat(filepath.Join(folder, ".git")); err == nil || folder == filepath.Dir(folder) {
			return ""
		}
	}
}

func (i *Index) referencesOf(folder string) *references {
	if known, isKnown := i.folders.Load(folder); isKnown {
		return known.(*references) //nolint:forcetypeassert // nothing else is stored
	}
	n := &references{patches: map[string][]Target{}, replacements: map[string]bool{}}
	for _, name := range yamldoc.KustomizationNames {
		k := read(filepath.Join(folder, name))
		patches := slices.Concat(k.Patches, k.PatchesJSON6902)
		for _, path := range k.PatchesStrategicMerge {
			patches = append(patches, patch{Path: path})
		}
		for _, p := range patches { // an inline patch has an empty path, which names no file
			file := filepath.Join(folder, filepath.FromSlash(p.Path))
			n.patches[file] = append(n.patches[file], p.Target)
		}
		for _, r := range k.Replacements {
			if r.Path != "" {
				n.replacements[filepath.Join(folder, filepath.FromSlash(r.Path))] = true
			}
		}
	}
	i.folders.Store(folder, n)
	return n
}

// maxResources limits the resources of a kustomization, so that a hostile one does not take long.
const maxResources = 1000

// Resources returns the files from which the kustomization of a folder builds objects, including the files of
// kustomizations that it names, missing files and remote resources. Files of bases and components that add a prefix or
// suffix to names are not included.
func Resources(folder string) (all []string) {
	return listResources(folder, false)
}

// AllResources returns the files of Resources, and those of bases and components that add a prefix or suffix to names.
func AllResources(folder string) []string {
	return listResources(folder, true)
}

// DisplayPath returns the path of a resource relative to the folder of its kustomization, for messages.
func DisplayPath(folder, file string) string {
	path, err := filepath.Rel(folder, file)
	if err != nil {
		return file
	}
	path = filepath.ToSlash(path)
	if scheme, address, isURL := strings.Cut(path, ":/"); isURL {
		return scheme + "://" + address
	}
	return path
}

func listResources(folder string, includeRenamed bool) (all []string) {
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
			if !includeRenamed && path != folder && k.NamePrefix+k.NameSuffix != "" {
				continue
			}
			for _, below := range slices.Concat(k.Resources, k.Bases, k.Components) {
				walk(filepath.Join(path, filepath.FromSlash(below)))
			}
		}
	}
	walk(folder)
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
