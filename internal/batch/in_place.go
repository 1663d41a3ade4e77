package batch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"

	"github.com/claimbridge/claimbridge/internal/files"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/internal/terminal"
)

// FileOptions say what to do with files that are converted in place.
type FileOptions struct {
	// Write them, or write all files of the named directories to OutputDir. Without either, nothing is written.
	Write     bool
	OutputDir string
	// List the names of files that change, and print the Diff, on stdout.
	List, Diff bool
}

// Writes reports whether files are written.
func (o FileOptions) Writes() bool { return o.Write || o.OutputDir != "" }

// inPlace converts claims in their files.
type inPlace struct {
	FileOptions
	run       *run
	pipeline  *pipeline
	stdin     io.Reader
	stdout    io.Writer
	isColored bool

	staged sync.Map // temporary files: *files.Staged
	dirs   sync.Map // that were created

	// These are used where results are delivered.
	summary fileSummary
	waiting []*files.Staged // until all files succeed
}

// Files converts claims in their files. With OutputDir, the input must include other files. When it returns, stderr has
// the findings and a summary. hasFailed is true if something could not be converted or written. hasChanged is true if a
// file was changed, or would be. The error is that of a run that did not begin.
func Files(
	ctx context.Context, in input.Input, o Options, f FileOptions, stdin io.Reader, stdout, stderr io.Writer,
) (hasFailed, hasChanged bool, err error) {
	found := in.List()
	if err := f.checkCopies(found); err != nil {
		return false, false, err
	}
	if o.Atomic {
		o.Reports.Hold()
	}
	// A signal cancels the context, so that temporary files are removed.
	ctx, stopSignals := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	defer stopSignals()
	stopWaiting := context.AfterFunc(ctx, stopSignals) // a second signal terminates the program
	defer stopWaiting()
	progress, stop := startProgress(found, f.List || f.Diff, stdout, stderr)
	defer stop()
	r := newInPlace(ctx, &in, o, f, progress)
	r.stdin, r.stdout = stdin, stdout
	r.isColored = terminal.IsTerminal(stdout) && os.Getenv("NO_COLOR") == ""
	err = r.convert(found)
	// A directory or standard input without objects is likely a wrong directory, or the program that generates the
	// manifests failed. A file that is named may be without one, as pre-commit names files.
	expectsObjects := !in.IncludeMarkdown &&
		slices.ContainsFunc(found, func(f input.File) bool { return !f.IsNamed || f.IsStandardInput() })
	foundNone := r.run.printer.Failed == 0 && r.summary.files+r.summary.skippedWithMention == 0
	if err == nil && expectsObjects && foundNone {
		err = errNothing
	}
	r.run.reportFacts()
	hasFailed = r.run.printer.Failed > 0 || r.run.hasFailingWarnings()
	if o.Atomic && err == nil && !hasFailed {
		err = files.ReplaceAll(r.waiting)
	}
	isWritten := !o.Atomic || err == nil && !hasFailed
	if !isWritten {
		r.summary.converted, r.summary.changed = 0, 0 // all files are unchanged
	}
	o.Reports.ReportHeld(isWritten)
	r.discard()
	o.Reports.SetObjects(r.summary.objects, r.summary.converted)
	r.run.finish()
	r.summarize(err, len(found))
	return hasFailed || err != nil, r.summary.changed > 0, nil
}

func newInPlace(ctx context.Context, in *input.Input, o Options, f FileOptions, progress *progress) *inPlace {
	o.KeepText, o.InPlace, o.Writes = true, true, f.Writes()
	return &inPlace{FileOptions: f, run: newRun(o, in, progress), pipeline: newPipeline(ctx)}
}

// convert converts all files. The error is that of an interrupted run, or of writing.
func (r *inPlace) convert(found []input.File) error {
	for _, file := range found {
		err := r.pipeline.do(int(max(file.Size, 0)), func() func() error {
			result := r.convertFile(file)
			return func() error { return r.deliver(result) }
		})
		if err != nil {
			break // close returns the same error
		}
	}
	return r.pipeline.close()
}

// summarize prints why the run failed, which files were skipped, and how many objects and files changed.
func (r *inPlace) summarize(err error, found int) {
	switch {
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(r.run.progress, "error: interrupted")
	case err != nil:
		fmt.Fprintln(r.run.progress, "error:", err)
	case r.run.hasFailingWarnings() && r.run.printer.Failed == 0:
		fmt.Fprintf(r.run.progress, "error: %s (--fail-on=warning)\n",
			findings.Count(r.run.printer.FailingWarnings(), "warning"))
	}
	if r.run.Quiet {
		return
	}
	if skipped := r.summary.skippedFiles(); skipped != "" && !r.run.Explain { // with --explain, a note names each
		fmt.Fprintln(r.run.progress, skipped)
	}
	fmt.Fprintln(r.run.progress, r.summary.line(&r.run.printer, found, r.Writes()))
}

// deliver writes the file of a result, and prints its findings. It is called in the order of the input.
func (r *inPlace) deliver(f *fileResult) error {
	if f.staged != nil && r.run.Atomic {
		r.waiting = append(r.waiting, f.staged)
	} else if f.staged != nil {
		if err := f.staged.Replace(); err != nil {
			r.failToWrite(f, err)
		}
	}
	r.run.include(&f.result)
	r.summary.add(f)
	if f.isChanged && r.List {
		if _, err := fmt.Fprintln(r.stdout, files.Quote(f.name)); err != nil {
			return err
		}
	}
	if f.isChanged && r.Diff {
		out := r.stdout
		if r.isColored {
			out = terminal.Unescaped(out) // the diff was escaped before it was colored
		}
		if _, err := out.Write(f.diff); err != nil {
			return err
		}
	}
	return nil
}
