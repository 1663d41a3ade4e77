// Package convert converts the claims of an input to a version, on all cores, and passes on whatever else is in it.
package convert

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/report"
)

// Options of a conversion.
type Options struct {
	// To is the version, and the release if one was asked for: then what it would refuse is not written.
	To     release.Target
	Format string // of the output, one of manifest.Formats
	Groups claims.Groups
	// Atomic is set to write nothing unless everything succeeds.
	Atomic bool
	// Strict makes errors of what an object has that it cannot take along: unknown and duplicate fields, leftovers for which there
	// is no room, entries that no API server takes, and what the rules of the release refuse.
	Strict bool
	// Explain says what went where, and prints all warnings.
	Explain bool
	// Also looks for mentions of other versions in texts: documents of other kinds, and files of folders that are no manifests.
	Also bool
	// Reports of what is found, nil for none. FailOn is the least severity that is a failure; empty is an error's.
	Reports *report.Set
	FailOn  finding.Severity
}

// Run converts an input. What went wrong with it stands on stderr when it returns, and what became of all; the error says how
// much failed, or why the output could not be written.
func Run(ctx context.Context, in input.Input, o Options, stdin io.Reader, stdout, stderr io.Writer) error {
	out := &spool{to: stdout}
	defer out.discard()
	if o.Atomic {
		if err := out.hold(); err != nil {
			return err
		}
	}
	w, err := manifest.NewWriter(out, o.Format)
	if err != nil {
		return err
	}
	var s *stream
	in.WithTexts, in.TellTexts, in.Texts = true, o.Also, func(path string) error { return s.textFile(path) }
	progress, stop := startProgress(in.List(), true, stdout, stderr)
	defer stop()
	in.Watch, in.Unparsed = progress.reader, true
	c := &converter{to: o.To.Version, target: o.To, output: w, groups: o.Groups, strict: o.Strict, explain: o.Explain, also: o.Also, reports: o.Reports, objects: &progress.objects,
		named: in.IsNamed}
	s = newStream(ctx, c, c.logTo(progress))
	err = in.Each(stdin, s.failed, s.document)
	if ended := s.end(); ended != nil {
		err = ended
	}
	if err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	failed := s.log.Failed
	s.finish(o.Reports, progress)
	fmt.Fprintln(progress, s.tally.summary(o.To.String(), failed, s.log.Warnings))
	warned := o.FailOn == finding.Warning && s.log.Warnings > s.log.Common
	switch {
	case failed == 0 && warned && o.Atomic:
		return fmt.Errorf("%s, nothing is written (--atomic, --fail-on=warning)", problems.Many(s.log.Warnings, "warning"))
	case failed > 0 && o.Atomic:
		return fmt.Errorf("%s failed, nothing is written (--atomic)", problems.Objects(failed))
	case failed > 0:
		if err := out.release(); err != nil {
			return err
		}
		return fmt.Errorf("%s failed and %s not written", problems.Objects(failed), are(failed))
	case s.read == 0:
		return errors.New("there are no objects in the input")
	}
	if err := out.release(); err != nil || !warned {
		return err
	}
	return fmt.Errorf("%s (--fail-on=warning)", problems.Many(s.log.Warnings, "warning"))
}

func are(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
