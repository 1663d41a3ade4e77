package report

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
)

// Set of reports. None of them needs more memory for more findings, unless they are held, or says
// what it is bounded by.
type Set struct {
	add      []func(finding.Finding) error
	end      []func() error // what is due when all is found, in its order
	quiet    bool
	err      error
	isHeld   bool
	held     []finding.Finding
	takeBack func(*finding.Finding)
	pending  pending
}

// pending says how a fix that is not written is reported to GitHub.
type pending struct {
	severity finding.Severity // empty where fixes are written
	to       string
}

// SetPending says that fixes are not written: GitHub shows them with a severity, and asks for a conversion to a
// version.
func (s *Set) SetPending(severity finding.Severity, to string) { s.pending = pending{severity, to} }

// Open reports that were checked; standard output is free when the command writes nothing else to
// it. Files are there from then on, so that one that cannot be written is known before the work
// begins.
func Open(specs []Spec, stdoutFree bool, out, stderr io.Writer) (*Set, error) {
	s := &Set{}
	for _, spec := range specs {
		switch at := spec.place(stdoutFree); at {
		case stdout:
			s.begin(spec.Format, out)
		case "":
			if spec.Format != textFormat { // that is what is printed anyway
				s.begin(spec.Format, stderr)
				s.quiet = true
			}
		default:
			//nolint:gosec // a report has names and paths, and is for others to read
			f, err := os.OpenFile(at, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
			if at, ok := errors.AsType[*fs.PathError](err); ok {
				err = at.Err
			}
			if err != nil {
				return nil, fmt.Errorf("--report: %s: %w", spec.File, err) // the others stay empty
			}
			s.begin(spec.Format, f)
			s.end = append(s.end, f.Close)
		}
	}
	return s, nil
}

// begin a report in a format.
func (s *Set) begin(format string, to io.Writer) {
	w := bufio.NewWriter(to)
	switch format {
	case "json":
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		s.add = append(s.add, func(f finding.Finding) error { return encoder.Encode(f) })
	case "sarif":
		r := &sarif{w: w, before: sarifHead}
		s.add, s.end = append(s.add, r.add), append(s.end, r.end)
	case "github":
		r := &github{w: w, pending: &s.pending}
		s.add, s.end = append(s.add, r.add), append(s.end, r.end)
	default:
		s.add = append(s.add, func(f finding.Finding) error {
			_, err := w.WriteString(finding.Printable(f.ForPeople()) + "\n")
			return err
		})
	}
	s.end = append(s.end, w.Flush)
}

// Any reports whether there is a report to write, beside what is printed anyway.
func (s *Set) Any() bool { return s != nil && len(s.add) > 0 }

// Quiet reports whether one stands on standard error, in the place of what is printed there otherwise.
func (s *Set) Quiet() bool { return s != nil && s.quiet }

// Add a finding. An error is kept for Close.
func (s *Set) Add(f finding.Finding) {
	if s.isHeld {
		s.held = append(s.held, f)
		return
	}
	for _, add := range s.add {
		if s.err == nil {
			s.err = add(f)
		}
	}
}

// Hold findings in memory until the set is closed. Then they are taken back, unless all is Written.
func (s *Set) Hold(takeBack func(*finding.Finding)) {
	s.isHeld, s.takeBack = true, takeBack
	s.end = slices.Insert(s.end, 0, func() error {
		s.isHeld = false
		for i := range s.held {
			s.takeBack(&s.held[i])
			s.Add(s.held[i])
		}
		s.held = nil
		return s.err
	})
}

// Written says that what is held came true.
func (s *Set) Written() {
	if s != nil {
		s.takeBack = func(*finding.Finding) {}
	}
}

// Close writes what is due at the end. Called again, it gives the same answer.
func (s *Set) Close() error {
	if s == nil {
		return nil
	}
	for _, end := range s.end {
		if s.err == nil { // else a report would look whole
			s.err = end()
		}
	}
	s.end = nil
	if s.err != nil {
		return fmt.Errorf("--report: %w", s.err)
	}
	return nil
}
