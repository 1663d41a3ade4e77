// Package validate validates the claims of an input as the API server of their version's release does,
// and writes results.
package validate

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/claimbridge/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/validation"
)

// Options are the options of a validation.
type Options struct {
	// Operation is the kind of write. All but a create need Old.
	Operation validation.Operation
	Old       *input.Input // the objects before the write
	// Release is the Kubernetes release whose rules apply; if it is empty, the default release of each version
	// applies.
	Release string
	Groups  claims.Groups
	Format  string // of results, one of Formats
	// Verbose is set to list skipped documents, and Quiet to print only errors and rejected objects.
	Verbose, Quiet bool
	// Reports receive all findings; nil for none. FailOn is the lowest severity that is a failure; empty means an
	// error.
	Reports *findings.Reports
	FailOn  findings.Severity
}

// Run validates an input. It writes results to stdout, and objects that could not be validated to stderr. The error
// counts these, and the rejected objects.
func Run(in input.Input, o Options, stdin io.Reader, stdout, stderr io.Writer) error {
	v := &validator{
		Options: o,
		out:     results{w: stdout, format: o.Format, rejectedOnly: o.Quiet},
		input:   &in,
		printer: findings.Printer{W: stderr, ErrorsOnly: o.Quiet, Reports: o.Reports},
	}
	if o.Old != nil {
		var err error
		if v.old, err = v.readOld(*o.Old, stdin); err != nil {
			return err
		}
	}
	if err := in.Each(stdin, v.reportUnreadable, v.validateDocument); err != nil {
		return err
	}
	v.printer.Summarize("")
	v.noteReleases()
	v.Reports.SetObjects(v.validatedCount, 0)
	if err := v.out.writeTotals(v.validatedCount, v.rejectedCount); err != nil {
		return err
	}
	switch {
	case v.printer.Failed > 0:
		return v.failure()
	case v.rejectedCount > 0:
		return fmt.Errorf("%d of %s rejected", v.rejectedCount, findings.Count(v.validatedCount, "object"))
	case v.validatedCount == 0:
		return errors.New("there is no ResourceClaim and no ResourceClaimTemplate of group " +
			strings.Join(o.Groups, ", ") + " in the input: check the paths, --exclude and --group")
	case o.FailOn == findings.Warning && v.printer.FailingWarnings() > 0:
		return fmt.Errorf("%s (--fail-on=warning)", findings.Count(v.printer.FailingWarnings(), "warning"))
	}
	return nil
}

// failure returns the error of a run in which objects could not be validated.
func (v *validator) failure() error {
	var reasons []string
	failed := v.printer.FailedObjects()
	if total := v.validatedCount + failed; total > 0 {
		reason := fmt.Sprintf("%s: %d rejected", findings.Count(total, "object"), v.rejectedCount)
		if failed > 0 {
			reason += fmt.Sprintf(", %d could not be validated", failed)
		}
		reasons = append(reasons, reason)
	}
	if n := v.printer.FailedFiles; n > 0 {
		reasons = append(reasons, findings.Count(n, "file")+" could not be read")
	}
	return errors.New(strings.Join(reasons, "; "))
}
