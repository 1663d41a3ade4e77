// Package kustomization knows which files are parts of others, since kustomize puts them together.
package kustomization

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
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
		for _, patch := range patchesOf(filepath.Join(folder, name)) {
			named[filepath.Join(folder, filepath.FromSlash(patch))] = true
		}
	}
	p.folders.Store(folder, named)
	return named
}

// patchesOf a kustomization, by path. Those that stand in it as text are no files, and do no harm. What cannot be read names none.
func patchesOf(file string) (paths []string) {
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() { // opening a pipe waits for whoever writes to it
		return nil
	}
	text, _, err := files.Read(file)
	if err != nil {
		return nil
	}
	d, err := manifest.NewReader(bytes.NewReader(text), file).Next()
	if err != nil || d.IsOpen() {
		return nil
	}
	object, err := d.Object(false)
	if err != nil {
		return nil
	}
	var k struct {
		Patches               []struct{ Path string }
		PatchesStrategicMerge []string
	}
	if err := json.Unmarshal(object, &k); err != nil {
		return nil
	}
	for _, patch := range k.Patches {
		paths = append(paths, patch.Path)
	}
	return append(paths, k.PatchesStrategicMerge...)
}
