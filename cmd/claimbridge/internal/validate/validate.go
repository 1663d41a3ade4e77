// Package validate validates the claims of an input as the API server of their version's release does,
// and writes results.
package validate

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/report"
	"github.com/claimbridge/claimbridge/validation"
)

// Options of a validation.
type Options struct {
	// Operation is the write to validate. All but a create need Old.
	Operation validation.Operation
	Old       *input.Input // the objects as they were
	// Release of Kubernetes whose rules are asked; empty for that of each version.
	Release string
	Groups  claims.Groups
	Format  string // of results, one of Formats
	// Verbose says which documents are skipped.
	Verbose bool
	// Reports of what is found, nil for none. FailOn is the least severity that is a failure; empty is an error's.
	Reports *report.Set
	FailOn  finding.Severity
}

// Run validates an input. Results stand on stdout when it returns, and what could not be validated on
// stderr; the error counts both and what was refused.
func Run(in input.Input, o Options, stdin io.Reader, stdout, stderr io.Writer) error {
	v := &validator{
		Options: o,
		out:     results{w: stdout, format: o.Format},
		log:     problems.Log{W: stderr, Reports: o.Reports, Input: &in},
	}
	if o.Old != nil {
		var err error
		if v.old, err = readOld(*o.Old, o.Groups, stdin, &v.log); err != nil {
			return err
		}
	}
	if err := in.Each(stdin, v.unreadable, v.document); err != nil {
		return err
	}
	v.log.More("")
	v.noteReleases()
	switch {
	case v.log.Failed > 0:
		return fmt.Errorf("%s could not be validated, %d of %d refused",
			problems.Objects(v.log.Failed), v.refused, v.validated)
	case v.refused > 0:
		return fmt.Errorf("%d of %d refused", v.refused, v.validated)
	case v.validated == 0:
		return errors.New("there is no ResourceClaim and no ResourceClaimTemplate of group " +
			strings.Join(o.Groups, ", ") + " in the input")
	case o.FailOn == finding.Warning && v.log.Warnings > v.log.Common:
		return fmt.Errorf("%s (--fail-on=warning)", problems.Many(v.log.Warnings, "warning"))
	}
	return nil
}
