// Package migrate converts the claims of an input to a version, on all cores, and passes on whatever else is in it.
//
// What becomes of a document stands in document.go, step by step. Run does that with a stream, and
// RunInFiles with files where they stand. What there is to say about a part of the input waits with
// it, and is told in the order of the input.
package migrate

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
)

// Run converts an input. What went wrong with it stands on stderr when it returns, and what became
// of all; the error says how much failed, or why the output could not be written.
func Run(ctx context.Context, in input.Input, o Options, stdin io.Reader, stdout, stderr io.Writer) error {
	out := stdout
	var held *os.File // so that one pass over the input is enough, which may be one that cannot be read twice
	if o.Atomic {
		var err error
		if held, err = temporary(); err != nil {
			return fmt.Errorf("--atomic: %w", err)
		}
		defer func() { _ = held.Close() }() // nothing refers to it any more
		out = held
	}
	o.hold()
	w := yamldoc.NewWriter(out, o.Format)
	in.Unparsed = true
	progress, stop := startProgress(in.List(), true, stdout, stderr)
	defer stop()
	c := &converter{Options: o, to: o.To.Version, output: w, input: &in, objects: &progress.objects}
	s := newStream(ctx, c, progress)
	in.Watch = progress.reader
	read := in.Each(stdin, s.failed, s.document)
	if err := cmp.Or(s.end(), read); err != nil {
		return err
	}
	err := w.Flush()
	if err != nil {
		return err
	}
	failed, warned := s.log.Failed, s.warned(c)
	if o.Atomic && failed == 0 && !warned {
		if _, err = io.Copy(stdout, io.NewSectionReader(held, 0, math.MaxInt64)); err == nil {
			o.Reports.Written()
		}
	}
	s.finish(c)
	fmt.Fprintln(progress, s.tally.summary(o.To.String(), s.log.Failed, s.log.Warnings))
	switch {
	case failed == 0 && warned && o.Atomic:
		return fmt.Errorf("%s, nothing is written (--atomic, --fail-on=warning)",
			problems.Many(s.log.Warnings, "warning"))
	case failed > 0 && o.Atomic:
		return fmt.Errorf("%s failed, nothing is written (--atomic)", problems.Objects(failed))
	case failed == 0 && s.read == 0:
		return errNothing
	case failed == 1:
		return fmt.Errorf("%s failed and is not written", problems.Objects(failed))
	case failed > 0:
		return fmt.Errorf("%s failed and are not written", problems.Objects(failed))
	case warned:
		return fmt.Errorf("%s (--fail-on=warning)", problems.Many(s.log.Warnings, "warning"))
	}
	return err
}

// hold reports back with --atomic, until it is known whether anything is written.
func (o *Options) hold() {
	if o.Atomic && o.Reports.Any() {
		o.Reports.Hold(problems.TakenBack)
	}
}

// temporary is a file that is gone as soon as nobody has it open, after SIGKILL, too: it has no
// name any more. Windows takes none from a file that is open, and removes it when its last handle
// is closed, by FILE_FLAG_DELETE_ON_CLOSE, which os.OpenFile hands on.
func temporary() (*os.File, error) {
	const deleteOnClose, windows = 0x04000000, runtime.GOOS == "windows"
	flag := os.O_RDWR | os.O_CREATE | os.O_EXCL
	if windows {
		flag |= deleteOnClose
	}
	f, err := os.OpenFile(filepath.Join(os.TempDir(), "claimbridge-"+rand.Text()), flag, 0o600)
	if err != nil || windows {
		return f, err
	}
	if err := os.Remove(f.Name()); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}
