package migrate

import (
	"errors"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
)

var (
	errKustomization = errors.New("is a kustomization, not an object of a cluster: left out of the output; " +
		"convert --write converts it in place")
	errPatchFile = errors.New("is a patch of a kustomization, not a complete object: left out of the output; " +
		"convert --write converts it in place")
)

// isOnlyForKustomize reports whether a document of a folder is a kustomization, or a patch that one
// names, and warns that it is left out of the output. No API server accepts either, and the paths
// in a kustomization mean nothing in a stream. A file that the command line names is converted.
func (p *part) isOnlyForKustomize(d *yamldoc.Document) bool {
	if d.File == input.StandardInput || p.input.IsNamed(d.File) {
		return false
	}
	var reason error
	switch {
	case strings.HasPrefix(d.APIVersion, yamldoc.KustomizeGroup+"/"):
		reason = errKustomization
	case p.patches.Has(d.File):
		reason = errPatchFile
	default:
		return false
	}
	p.log.Error(input.Skipped(&yamldoc.DocumentError{Position: d.Position, Err: reason}))
	return true
}
