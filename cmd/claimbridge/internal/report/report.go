package report

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
)

// Options of reports.
type Options struct {
	Stdout, Stderr io.Writer
	// StdoutFree is set when the command writes nothing else to standard output.
	StdoutFree bool
}

// Set of reports. None of them needs more memory for more findings, or says what it is bounded by.
type Set struct {
	all           []open
	quiet, closed bool
	err           error
}

type open struct {
	reporter
	fixes bool
	file  *os.File // nil when it is not ours to close
	w     *bufio.Writer
}

// reporter writes findings in a format.
type reporter interface {
	add(f finding.Finding) error
	// end writes what is due when all is found.
	end() error
}

// Open reports that were checked. Files are there from then on, so that one that cannot be written is known before the work begins.
func Open(specs []Spec, o Options) (*Set, error) {
	s := &Set{}
	for _, spec := range specs {
		var r open
		var to io.Writer
		switch at := spec.place(o.StdoutFree); at {
		case stdout:
			to = o.Stdout
		case "":
			if spec.Format == textFormat {
				continue // that is what is printed anyway
			}
			to, s.quiet = o.Stderr, true
		default:
			f, err := os.OpenFile(at, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644) //nolint:gosec // a report has names and paths, and is for others to read
			if at, ok := errors.AsType[*fs.PathError](err); ok {
				err = at.Err
			}
			if err != nil {
				s.close()
				return nil, fmt.Errorf("--report: %s: %w", spec.File, err)
			}
			r.file, to = f, f
		}
		r.w = bufio.NewWriter(to)
		r.reporter, r.fixes = newReporter(spec.Format, r.w), spec.Format == "sarif"
		s.all = append(s.all, r)
	}
	return s, nil
}

func newReporter(format string, w *bufio.Writer) reporter {
	switch format {
	case "json":
		return newJSON(w)
	case "sarif":
		return &sarif{w: w}
	case "github":
		return &github{w: w}
	}
	return text{w}
}

// Collect gives findings to a function, beside what is printed.
func Collect(add func(finding.Finding)) *Set {
	return &Set{all: []open{{reporter: collector(add), w: bufio.NewWriter(io.Discard)}}}
}

type collector func(finding.Finding)

func (c collector) add(f finding.Finding) error {
	c(f)
	return nil
}

func (collector) end() error { return nil }

// Any reports whether there is a report to write, beside what is printed anyway.
func (s *Set) Any() bool { return s != nil && len(s.all) > 0 }

// WantsFixes reports whether one of them says what is to be replaced by what.
func (s *Set) WantsFixes() bool {
	return s != nil && slices.ContainsFunc(s.all, func(r open) bool { return r.fixes })
}

// Quiet reports whether one stands on standard error, in the place of what is printed there otherwise.
func (s *Set) Quiet() bool { return s != nil && s.quiet }

// Add a finding. An error is kept for Close.
func (s *Set) Add(f finding.Finding) {
	for _, r := range s.all {
		if s.err == nil {
			s.err = r.add(f)
		}
	}
}

// Close writes what is due at the end. Called again, it gives the same answer.
func (s *Set) Close() error {
	if s == nil {
		return nil
	}
	if !s.closed {
		s.closed = true
		s.end()
	}
	if s.err != nil {
		return fmt.Errorf("--report: %w", s.err)
	}
	return nil
}

func (s *Set) end() {
	for _, r := range s.all {
		if s.err == nil {
			s.err = r.end()
		}
		if err := r.w.Flush(); s.err == nil {
			s.err = err
		}
	}
	if err := s.close(); s.err == nil {
		s.err = err
	}
}

func (s *Set) close() (err error) {
	for i, r := range s.all {
		if r.file != nil {
			err = errors.Join(err, r.file.Close())
			s.all[i].file = nil
		}
	}
	return err
}
