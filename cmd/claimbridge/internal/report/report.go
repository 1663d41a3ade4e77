package report

import (
	"bufio"
	"cmp"
	"encoding/json"
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
	all   []open
	quiet bool
	err   error
}

// open is a report that is written.
type open struct {
	w     *bufio.Writer
	fixes bool
	add   func(finding.Finding) error
	end   func() error // writes what is due when all is found
	close func() error
}

func nothing() error { return nil }

// Open reports that were checked. Files are there from then on, so that one that cannot be written is known before the work begins.
func Open(specs []Spec, o Options) (*Set, error) {
	s := &Set{}
	for _, spec := range specs {
		var to io.Writer
		done := nothing
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
				for _, r := range s.all {
					_ = r.close() // nothing was written
				}
				return nil, fmt.Errorf("--report: %s: %w", spec.File, err)
			}
			to, done = f, f.Close
		}
		s.all = append(s.all, begin(spec.Format, to, done))
	}
	return s, nil
}

// begin a report in a format.
func begin(format string, to io.Writer, done func() error) open {
	r := open{w: bufio.NewWriter(to), end: nothing, close: done}
	switch format {
	case "json":
		encoder := json.NewEncoder(r.w)
		encoder.SetEscapeHTML(false)
		r.add = func(f finding.Finding) error { return encoder.Encode(f) }
	case "sarif":
		s := &sarif{w: r.w, before: sarifHead}
		r.add, r.end, r.fixes = s.add, s.end, true
	case "github":
		g := &github{w: r.w}
		r.add, r.end = g.add, g.end
	default:
		r.add = func(f finding.Finding) error {
			_, err := r.w.WriteString(finding.Printable(f.Text) + "\n")
			return err
		}
	}
	return r
}

// Collect gives findings to a function, beside what is printed.
func Collect(add func(finding.Finding)) *Set {
	r := begin(textFormat, io.Discard, nothing)
	r.add = func(f finding.Finding) error {
		add(f)
		return nil
	}
	return &Set{all: []open{r}}
}

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
	for _, r := range s.all {
		if s.err == nil {
			s.err = r.end()
		}
		s.err = cmp.Or(s.err, r.w.Flush(), r.close())
	}
	s.all = nil
	if s.err != nil {
		return fmt.Errorf("--report: %w", s.err)
	}
	return nil
}
