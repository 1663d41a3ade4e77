// Package kustomization knows which files are parts of others, since kustomize puts them together.
package kustomization

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/files"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
)

// Patches knows which files kustomizations name as their patches: parts of objects, which no release can judge. A folder is looked at when
// something in it, or below it, is asked for, once. It may be used by several goroutines.
type Patches struct {
	folders sync.Map // from a folder to map[string]bool of the files that its kustomization names
}

// Has reports whether a kustomization in the folder of a file, or above it in the same repository, names the file as a patch.
func (p *Patches) Has(file string) bool {
	if file == input.StandardInput {
		return false
	}
	file, err := filepath.Abs(file)
	if err != nil {
		return false
	}
	for folder := filepath.Dir(file); ; folder = filepath.Dir(folder) {
		if p.in(folder)[file] {
			return true
		}
		if _, err := os.Lstat(filepath.Join(folder, ".git")); err == nil || folder == filepath.Dir(folder) {
			return false
		}
	}
}

func (p *Patches) in(folder string) map[string]bool {
	if known, is := p.folders.Load(folder); is {
		return known.(map[string]bool) //nolint:forcetypeassert // nothing else is stored
	}
	named := map[string]bool{}
	for _, name := range manifest.KustomizationNames {
		k := read(filepath.Join(folder, name))
		for _, patch := range k.Patches { // those that stand in it as text are no files, and do no harm
			k.PatchesStrategicMerge = append(k.PatchesStrategicMerge, patch.Path)
		}
		for _, patch := range k.PatchesStrategicMerge {
			named[filepath.Join(folder, filepath.FromSlash(patch))] = true
		}
	}
	p.folders.Store(folder, named)
	return named
}

// maxResources of a kustomization are followed: nobody writes as many, but for whoever wants time to be spent.
const maxResources = 1000

// Resources are the files that the kustomization of a folder builds objects of, its own and those of others that it names. What others give
// another name is none of them.
func Resources(folder string) (all []string) {
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
		for _, name := range manifest.KustomizationNames {
			k := read(filepath.Join(path, name))
			if path != folder && k.NamePrefix+k.NameSuffix != "" {
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
type parts struct {
	Patches                                             []struct{ Path string }
	PatchesStrategicMerge, Resources, Bases, Components []string
	NamePrefix, NameSuffix                              string
}

// read a kustomization. What cannot be read names nothing.
func read(file string) (k parts) {
	text, _, err := files.Read(files.At(file))
	if err != nil {
		return k
	}
	d, err := manifest.NewReader(bytes.NewReader(text), file).Next()
	if err != nil || d.IsOpen() {
		return k
	}
	if object, err := d.Object(false); err != nil || json.Unmarshal(object, &k) != nil {
		return parts{}
	}
	return k
}
