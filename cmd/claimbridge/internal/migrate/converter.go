package migrate

import (
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/kustomization"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/report"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
)

// Options of a conversion.
type Options struct {
	// To is the version, and the release if one was asked for: then what it would refuse is not written.
	To     release.Target
	Format string // of the output, one of yamldoc.Formats
	Groups claims.Groups
	// Atomic is set to write nothing unless everything succeeds.
	Atomic bool
	// Strict makes errors of what an object has that it cannot take along: unknown and duplicate
	// fields, leftovers for which there is no room, entries that no API server takes, and what the
	// rules of the release refuse.
	Strict bool
	// Explain says what went where, and prints all warnings.
	Explain bool
	// Reports of what is found, nil for none. FailOn is the least severity that is a failure; empty is an error's.
	Reports *report.Set
	FailOn  finding.Severity
}

// converter is what parts are converted to, and how. It does not change, but for what it counts.
type converter struct {
	Options
	to      string          // the version
	output  *yamldoc.Writer // only asked for parts
	inPlace *InFiles        // nil where what is converted is written to a stream
	full    problems.Full
	patches kustomization.Patches
	input   *input.Input
	inputs  inputs
	// unconverted is a cache of findUnconvertedBase: the name of a base, or "", by the folder of a kustomization.
	unconverted sync.Map
	// objects counts claims and templates while they are converted.
	objects *atomic.Int64
}

// logTo is the log of the whole, for whoever delivers the parts, or with IsPart set that of one of them.
func (c *converter) logTo(w io.Writer) problems.Log {
	return problems.Log{W: w, All: c.Explain, Full: &c.full, Reports: c.Reports, Input: c.input}
}

var errNothing = errors.New("there are no objects in the input")

// InFiles says what is to be done with files whose claims are converted where they stand.
type InFiles struct {
	// Write them, or to OutputDir all files of the folders that were named. Without either nothing is written.
	Write     bool
	OutputDir string
	// List the names of those that change, and show the Diff, on stdout.
	List, Diff bool
	// AcceptLeftovers that no driver reads.
	AcceptLeftovers bool
}

func (f *InFiles) writes() bool { return f.Write || f.OutputDir != "" }
