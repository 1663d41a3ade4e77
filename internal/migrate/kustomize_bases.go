package migrate

import (
	"path/filepath"
	"slices"
	"sync"

	"github.com/claimbridge/claimbridge/internal/files"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/kustomization"
)

// A kustomization patches the objects of its bases. A patch is converted only if its bases are: with a base of another
// version the build fails or has another result.

// isNotConverted follows the name of the base of a kustomization.
const isNotConverted = " is not converted in this run: convert it too, or change both by hand"

// baseIsNotConverted returns the error about a patch in its own file, by the name of the base.
func baseIsNotConverted(s findings.Subject, base string) findings.Finding {
	return s.New(findings.Error, findings.NamedVersion, "apiVersion", "is of a patch, and "+base+isNotConverted)
}

// unconvertedBase names the first resource of the kustomization, or of one that it builds on, that is not converted in
// this run and may have objects of another version.
func (o *related) unconvertedBase() string {
	if o.hasReplacements {
		return o.unconvertedBaseIn(o.patches.ReplacementsFolder(o.position.File))
	}
	folder, err := filepath.Abs(filepath.Dir(o.position.File))
	if err != nil || o.position.File == "" {
		return ""
	}
	return o.unconvertedBaseIn(folder)
}

// unconvertedBaseOfPatch is unconvertedBase for a file that a kustomization names as a patch.
func (c *Converter) unconvertedBaseOfPatch(file string) string {
	folder := c.patches.PatchFolder(file)
	if !c.InPlace || folder == "" {
		return ""
	}
	return c.unconvertedBaseIn(folder)
}

func (c *Converter) unconvertedBaseIn(folder string) string {
	if base, isCached := c.unconverted.Load(folder); isCached {
		return base.(string) //nolint:forcetypeassert // nothing else is stored
	}
	base := c.findUnconvertedBase(folder)
	c.unconverted.Store(folder, base)
	return base
}

func (c *Converter) findUnconvertedBase(folder string) string {
	for _, file := range kustomization.AllResources(folder) {
		if c.isInput(file) {
			continue
		}
		text, _, err := files.Read(files.At(file))
		isOther := func(m mention) bool { return m.version != c.to }
		if err != nil || slices.ContainsFunc(versionsIn(text), isOther) {
			return kustomization.DisplayPath(folder, file)
		}
	}
	return ""
}

// inputs are the absolute paths of the files that are converted.
type inputs struct {
	once  sync.Once
	paths map[string]bool
}

// isInput reports whether a file is converted in this run.
func (c *Converter) isInput(file string) bool {
	c.inputs.once.Do(func() {
		c.inputs.paths = map[string]bool{}
		for _, f := range c.Input.List() {
			if path, err := filepath.Abs(f.Path); err == nil && f.IsManifest && f.Err == nil {
				c.inputs.paths[path] = true
			}
		}
	})
	return c.inputs.paths[file]
}
