// Package kustomization knows which files are parts of others, since kustomize puts them together.
package kustomization

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/files"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
)

// Patches knows which files kustomizations name as their patches. They are parts of objects that no release can
// validate, and which they name for their replacements. A folder is looked at when something in it, or below it, is
// asked for, once. It may be used by several goroutines.
type Patches struct {
	folders sync.Map // from a folder to the *named of its kustomization
}

// named are the files that a kustomization names.
type references struct {
	patches      map[string][]Target
	replacements map[string]bool
}

// Target of a patch. Its fields are regular expressions, and an empty one selects any object.
type Target struct{ Group, Version, Kind string }

// Has reports whether a kustomization in the folder of a file, or above it in the same repository,
// names the file as a patch.
func (p *Patches) Has(file string) bool {
	return len(p.Targets(file)) > 0
}

// Targets of a file that a kustomization in its folder, or above it in the same repository, names as a patch;
// none if no kustomization does.
func (p *Patches) Targets(file string) []Target {
	targets, _ := p.find(file)
	return targets
}

// Folder of the kustomization that names a file as a patch, or "".
func (p *Patches) Folder(file string) string {
	_, folder := p.find(file)
	return folder
}

func (p *Patches) find(file string) (targets []Target, folder string) {
	folder = p.findFolder(file, func(n *references, path string) bool {
		targets = n.patches[path]
		return len(targets) > 0
	})
	return targets, folder
}

// FolderOfReplacements is the folder of the kustomization that names a file for its replacements, or "".
func (p *Patches) FolderOfReplacements(file string) string {
	return p.findFolder(file, func(n *references, path string) bool { return n.replacements[path] })
}

// folder of a file, or above it in the same repository, whose kustomization names the file, or "".
func (p *Patches) findFolder(file string, isNamed func(n *references, path string) bool) string {
	if file == input.StandardInput {
		return ""
	}
	file, err := filepath.Abs(file)
	if err != nil {
		return ""
	}
	for folder := filepath.Dir(file); ; folder = filepath.Dir(folder) {
		if isNamed(p.referencesOf(folder), file) {
			return folder
		}
		if _, err := os.Lstat(filepath.Join(folder, ".git")); err == nil || folder == filepath.Dir(folder) {
			return ""
		}
	}
}

func (p *Patches) referencesOf(folder string) *references {
	if known, isKnown := p.folders.Load(folder); isKnown {
		return known.(*references) //nolint:forcetypeassert // nothing else is stored
	}
	n := &references{patches: map[string][]Target{}, replacements: map[string]bool{}}
	for _, name := range yamldoc.KustomizationNames {
		k := read(filepath.Join(folder, name))
		patches := slices.Concat(k.Patches, k.PatchesJSON6902)
		for _, path := range k.PatchesStrategicMerge {
			patches = append(patches, patch{Path: path})
		}
		for _, p := range patches { // the text of an inline patch is no file, and does no harm
			file := filepath.Join(folder, filepath.FromSlash(p.Path))
			n.patches[file] = append(n.patches[file], p.Target)
		}
		for _, r := range k.Replacements {
			if r.Path != "" {
				n.replacements[filepath.Join(folder, filepath.FromSlash(r.Path))] = true
			}
		}
	}
	p.folders.Store(folder, n)
	return n
}

// maxResources of a kustomization are followed: nobody writes as many, but for whoever wants time to be spent.
const maxResources = 1000

// Resources are the files that the kustomization of a folder builds objects of, its own and those
// of others that it names. What others give another name is none of them.
func Resources(folder string) (all []string) {
	return listResources(folder, false)
}

// AllResources are the files of Resources with those that others give another name. What is not there, such as a
// remote resource, is among them.
func AllResources(folder string) []string {
	return listResources(folder, true)
}

// Shown is the path of a resource, from the folder of its kustomization.
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

func listResources(folder string, renamed bool) (all []string) {
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
			if !renamed && path != folder && k.NamePrefix+k.NameSuffix != "" {
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

// parts of a kustomization that name others.
type kustomizationFile struct {
	Patches                                             []patch
	PatchesJSON6902                                     []patch
	Replacements                                        []struct{ Path string }
	PatchesStrategicMerge, Resources, Bases, Components []string
	NamePrefix, NameSuffix                              string
}

// patch that a kustomization names. Without a path it is inline.
type patch struct {
	Path   string
	Target Target
}

// read a kustomization. What cannot be read names nothing.
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
