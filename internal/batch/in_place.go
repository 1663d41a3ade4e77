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
	// Write is set to change the files, and OutputDir to write all files of the named directories there, changed or not.
	// Without either, nothing is written.
	Write     bool
	OutputDir string
	// List is set to print the names of files that change, and Diff to print their diffs, on stdout.
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

	staged      sync.Map // temporary files: *files.Staged
	createdDirs sync.Map // keys: paths of directories

	// The pipeline delivers results one at a time, so these fields need no lock.
	summary fileSummary
	waiting []*files.Staged // with --atomic, until all files succeed
}

// Files converts claims in their files. With OutputDir, the input must include other files. When Files returns, stderr
// has the findings and a summary. hasFailed is true if something could not be converted or written. hasChanged is true
// if a file was changed, or would be. err is non-nil only if the run did not start.
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
	progress, stopProgress := startProgress(found, f.List || f.Diff, stdout, stderr)
	defer stopProgress()

	r := newInPlace(ctx, &in, o, f, progress)
	r.stdin = stdin
	r.stdout = stdout
	r.isColored = terminal.IsTerminal(stdout) && os.Getenv("NO_COLOR") == ""

	runErr := r.convert(found)
	if runErr == nil && r.lacksObjects(found) {
		runErr = errNoObjects
	}
	r.run.reportFacts()
	if o.Atomic && runErr == nil && !r.run.hasFailed() {
		runErr = files.ReplaceAll(r.waiting)
	}
	r.discard()
	r.report(runErr, len(found))
	return runErr != nil || r.run.hasFailed(), r.summary.changed > 0, nil
}

func newInPlace(ctx context.Context, in *input.Input, o Options, f FileOptions, progress *progress) *inPlace {
	o.KeepText = true
	o.InPlace = true
	o.Writes = f.Writes()
	return &inPlace{FileOptions: f, run: newRun(o, in, progress), pipeline: newPipeline(ctx)}
}

// lacksObjects reports whether a run that should have found an object found none. No object in a directory or on
// standard input usually means a wrong path or a failed generator. Named files are exempt, because pre-commit passes
// every changed file, and so are Markdown pages.
func (r *inPlace) lacksObjects(found []input.File) bool {
	if r.run.Input.IncludeMarkdown || r.run.printer.Failed > 0 || r.summary.files+r.summary.skippedWithMention > 0 {
		return false
	}
	return slices.ContainsFunc(found, func(f input.File) bool { return !f.IsNamed || f.IsStandardInput() })
}

// report writes the reports and the summary of a run. runErr is why the run failed, or nil; found is the number of
// files.
func (r *inPlace) report(runErr error, found int) {
	isWritten := !r.run.Atomic || runErr == nil && !r.run.hasFailed()
	if !isWritten { // all files are unchanged
		r.summary.converted = 0
		r.summary.changed = 0
	}
	r.run.Reports.ReportHeld(isWritten)
	r.run.Reports.SetObjects(r.summary.objects, r.summary.converted)
	r.run.finish()
	r.summarize(runErr, found)
}

// convert converts all files. It returns an error if the run is interrupted, or stdout cannot be written.
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
func (r *inPlace) summarize(runErr error, found int) {
	switch {
	case errors.Is(runErr, context.Canceled):
		fmt.Fprintln(r.run.progress, "error: interrupted")
	case runErr != nil:
		fmt.Fprintln(r.run.progress, "error:", runErr)
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
