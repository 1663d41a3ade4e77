package migrate

import (
	"errors"
	"strings"

	"github.com/claimbridge/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

var (
	errKustomization = errors.New("is a kustomization, not an object of a cluster: left out of the output; " +
		"convert --write converts it in place")
	errPatchFile = errors.New("is a patch of a kustomization, not a complete object: left out of the output; " +
		"convert --write converts it in place")
)

// onlyForKustomize returns why a document of a folder is left out of the output, or nil: it is a kustomization, or a
// patch that one names. No API server accepts either, and the paths in a kustomization mean nothing in a stream. A file
// on the command line is converted.
func (c *Converter) onlyForKustomize(d *yamldoc.Document) error {
	if d.File == input.StandardInput || c.Input.IsNamed(d.File) {
		return nil
	}
	skipped := func(reason error) error {
		return input.Skipped(&yamldoc.DocumentError{Position: d.Position, Err: reason})
	}
	switch {
	case strings.HasPrefix(d.APIVersion, yamldoc.KustomizeGroup+"/"):
		return skipped(errKustomization)
	case c.kustomizations.Has(d.File):
		return skipped(errPatchFile)
	}
	return nil
}
