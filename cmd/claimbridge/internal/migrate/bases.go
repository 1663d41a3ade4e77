package migrate

import (
	"path/filepath"
	"slices"
	"sync"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/files"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/kustomization"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
)

// A kustomization patches the objects of its bases. A patch is converted only if its bases are: with a base of another
// version the build fails or has another result.

// isNotConverted follows the name of the base of a kustomization.
const isNotConverted = " is not converted in this run: convert it too, or change both by hand"

// baseIsNotConverted reports a patch in a file of its own, by the name of the base.
func baseIsNotConverted(base string) problems.What {
	return problems.At(finding.NamedVersion, "apiVersion", "is of a patch, and "+base+isNotConverted)
}

// unconvertedBase names the first resource of the kustomization, or of one that it builds on, that is not converted in
// this run and may have objects of another version.
func (o *other) unconvertedBase() string {
	if o.hasReplacements {
		return o.unconvertedBaseIn(o.patches.FolderOfReplacements(o.at.File))
	}
	folder, err := filepath.Abs(filepath.Dir(o.at.File))
	if err != nil || o.at.File == "" {
		return ""
	}
	return o.unconvertedBaseIn(folder)
}

// unconvertedBaseOfPatch is unconvertedBase for a file that a kustomization names as a patch.
func (p *part) unconvertedBaseOfPatch(file string) string {
	folder := p.patches.Folder(file)
	if p.inPlace == nil || folder == "" {
		return ""
	}
	return p.unconvertedBaseIn(folder)
}

func (p *part) unconvertedBaseIn(folder string) string {
	if known, is := p.unconverted.Load(folder); is {
		return known.(string) //nolint:forcetypeassert // nothing else is stored
	}
	base := p.findUnconvertedBase(folder)
	p.unconverted.Store(folder, base)
	return base
}

func (p *part) findUnconvertedBase(folder string) string {
	for _, file := range kustomization.AllResources(folder) {
		if p.isInput(file) {
			continue
		}
		text, _, err := files.Read(files.At(file))
		switch {
		case err != nil:
			return kustomization.Shown(folder, file)
		case slices.ContainsFunc(versionsIn(text), func(l left) bool { return l.version != p.to }):
			return kustomization.Shown(folder, file)
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
func (c *converter) isInput(file string) bool {
	c.inputs.once.Do(func() {
		c.inputs.paths = map[string]bool{}
		for _, f := range c.input.List() {
			if path, err := filepath.Abs(f.Path); err == nil && f.Manifest && f.Err == nil {
				c.inputs.paths[path] = true
			}
		}
	})
	return c.inputs.paths[file]
}
