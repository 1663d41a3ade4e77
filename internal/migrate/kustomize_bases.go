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
// version the build fails or has another result. So before the first patch of a kustomization is converted, the files
// of its bases are converted in memory, to find out which have errors and are unchanged.

// bases has the caches about the bases of kustomizations, and the files of the run.
type bases struct {
	unconverted sync.Map // by the directory of a kustomization: the result of findUnconvertedBase
	hasErrors   sync.Map // by the name of a file: func() bool
	inputs      inputs
}

// unconvertedInPatch returns the error about a patch in its own file whose base is not converted.
func unconvertedInPatch(s findings.Subject, reason string) findings.Finding {
	return s.New(findings.Error, findings.NamedVersion, "apiVersion", "is unchanged in this patch, because "+reason)
}

// unconvertedBase returns why the kustomization, or one that it builds on, has a resource that may keep another
// version, or "".
func (o *relatedObject) unconvertedBase() string {
	if o.hasReplacements {
		return o.unconvertedBaseIn(o.kustomizations.ReplacementsDir(o.position.File))
	}
	dir, err := filepath.Abs(filepath.Dir(o.position.File))
	if err != nil || o.position.File == "" {
		return ""
	}
	return o.unconvertedBaseIn(dir)
}

// unconvertedBaseOfPatch is unconvertedBase for a file that a kustomization names as a patch.
func (c *Converter) unconvertedBaseOfPatch(file string) string {
	dir := c.kustomizations.PatchDir(file)
	if !c.InPlace || dir == "" {
		return ""
	}
	return c.unconvertedBaseIn(dir)
}

// reasonNotToConvertPatch returns why a claim of another version is not converted, if it is a patch, or "".
func (c *Converter) reasonNotToConvertPatch(o *claimConversion) string {
	if o.hasTarget {
		return ""
	}
	return c.unconvertedBaseOfPatch(o.position.File)
}

func (c *Converter) unconvertedBaseIn(dir string) string {
	if c.skipBaseCheck {
		return ""
	}
	if reason, isCached := c.bases.unconverted.Load(dir); isCached {
		return reason.(string) //nolint:forcetypeassert // nothing else is stored
	}
	reason := c.findUnconvertedBase(dir)
	c.bases.unconverted.Store(dir, reason)
	return reason
}

func (c *Converter) findUnconvertedBase(dir string) string {
	for _, file := range kustomization.AllResources(dir) {
		name, isInput := c.nameOfInput(file)
		switch {
		case isInput && c.hasErrors(name):
			return kustomization.DisplayPath(dir, file) +
				" has an error and is not converted: correct it, or change both by hand"
		case !isInput && c.mayHaveOtherVersion(file):
			return kustomization.DisplayPath(dir, file) +
				" is not converted in this run: convert it too, or change both by hand"
		}
	}
	return ""
}

// mayHaveOtherVersion reports whether a file names another version, or cannot be read.
func (c *Converter) mayHaveOtherVersion(file string) bool {
	text, _, err := files.Read(files.At(file))
	return err != nil || c.namesOtherVersion(text)
}

func (c *Converter) namesOtherVersion(text []byte) bool {
	return slices.ContainsFunc(versionsIn(text), func(m mention) bool { return m.version != c.version })
}

// hasErrors reports whether the conversion of a file of the input to another version fails, so that the file is
// unchanged.
func (c *Converter) hasErrors(name string) bool {
	find, _ := c.bases.hasErrors.LoadOrStore(name, sync.OnceValue(func() bool {
		text, _, err := files.Read(files.At(name))
		if err != nil {
			return true
		}
		if !c.namesOtherVersion(text) {
			return false
		}
		trial := *c
		trial.skipBaseCheck = true // a resource that is also a patch would be its own base
		for r := range trial.ConvertFile(name, text) {
			if r.Findings.Failed() > 0 {
				return true
			}
		}
		return false
	}))
	return find.(func() bool)() //nolint:forcetypeassert // nothing else is stored
}

// inputs are the names of the files that are converted, by their absolute paths.
type inputs struct {
	once  sync.Once
	names map[string]string
}

// nameOfInput returns the name of a file that is converted in this run.
func (c *Converter) nameOfInput(file string) (name string, isInput bool) {
	inputs := &c.bases.inputs
	inputs.once.Do(func() {
		inputs.names = map[string]string{}
		for _, f := range c.Input.List() {
			if path, err := filepath.Abs(f.Path); err == nil && f.IsManifest && f.Err == nil {
				inputs.names[path] = f.Name()
			}
		}
	})
	name, isInput = inputs.names[file]
	return name, isInput
}
