package migrate

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

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/files"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/terminal"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
)

// inFiles converts claims where they stand, file by file.
type inFiles struct {
	InFiles
	*converter
	*pipeline
	stdin    io.Reader
	stdout   io.Writer
	progress *progress
	colored  bool

	staged  sync.Map     // temporary files: *files.Staged
	made    sync.Map     // folders that were not there
	staging sync.RWMutex // held while one is made

	// These are used where edits are delivered.
	count count
	told
	waiting []*files.Staged // for all others
}

// RunInFiles converts claims in their files. What went wrong stands on stderr when it returns, and
// as its last line what became of all. It failed where something could not be converted or written,
// and has changed something where a file was, or would be. The error is of what was not begun.
func RunInFiles(
	ctx context.Context, in input.Input, o Options, f InFiles, stdin io.Reader, stdout, stderr io.Writer,
) (failed, changed bool, err error) {
	in.Recursive, in.Others = true, f.OutputDir != ""
	found, err := distinct(in.List(), len(in.Files), &f)
	if err != nil {
		return false, false, err
	}
	o.hold()
	// temporary files do not stay
	ctx, stopSignals := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	defer stopSignals()
	defer context.AfterFunc(ctx, stopSignals)() // so that a second one ends the program, whatever it waits for
	progress, stop := startProgress(found, f.List || f.Diff, stdout, stderr)
	defer stop()
	texts := yamldoc.NewWriter(io.Discard, "yaml") // which stay, and nothing else is asked of it
	c := &converter{Options: o, to: o.To.Version, output: texts, input: &in, objects: &progress.objects, inPlace: &f}
	r := &inFiles{
		InFiles: f, converter: c, pipeline: newPipeline(ctx), stdin: stdin, stdout: stdout, progress: progress,
		colored: terminal.Is(stdout) && os.Getenv("NO_COLOR") == "", told: told{log: c.logTo(progress)},
	}
	for _, file := range found {
		if err := r.do(int(max(file.Size, 0)), func() func() error {
			e := r.edit(file)
			return func() error { return r.put(e) }
		}); err != nil {
			break // closing it returns the same
		}
	}
	err = r.close()
	mustHold := slices.ContainsFunc(found, func(f input.File) bool { return !f.Named || f.IsStandardInput() })
	if err == nil && r.log.Failed == 0 && !in.Pages && r.count.files+r.count.speak == 0 && mustHold {
		// a folder was named that is not the right one, or what was to write its manifests here has
		// failed
		err = errNothing
	}
	r.compared.advise(r.To, &r.log)
	r.reportVersionSelectors()
	warned := r.warned(c)
	failed = r.log.Failed > 0 || warned
	if o.Atomic && err == nil && !failed {
		err = files.PutAll(r.waiting)
	}
	if o.Atomic && (err != nil || failed) {
		r.count.converted, r.count.changed = 0, 0 // all files are as they were
	} else {
		o.Reports.Written()
	}
	r.discard()
	r.finish(c)
	r.summarize(progress, err, warned, len(found))
	return failed || err != nil, r.count.changed > 0, nil
}

// summarize writes why the run failed, which files were skipped, and what became of all.
func (r *inFiles) summarize(to io.Writer, err error, warned bool, found int) {
	switch {
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(to, "error: interrupted")
	case err != nil:
		fmt.Fprintln(to, "error:", err)
	case warned && r.log.Failed == 0:
		fmt.Fprintf(to, "error: %s (--fail-on=warning)\n", problems.Many(r.log.Warnings, "warning"))
	}
	if skipped := r.count.skippedFiles(); skipped != "" && !r.Explain { // else a line of its own names each
		fmt.Fprintln(to, skipped)
	}
	fmt.Fprintln(to, r.count.line(r.log.Failed, r.log.Warnings-r.log.Common, found, r.writes()))
}

// put what became of a file in its place, when its text is on the disk.
func (r *inFiles) put(e *edit) error {
	if e.staged != nil && r.Atomic {
		r.waiting = append(r.waiting, e.staged)
	} else if e.staged != nil {
		if err := e.staged.Put(); err != nil {
			e.isLeft(err)
		}
	}
	r.take(e.part)
	r.count.add(e)
	if e.changed && r.List {
		if _, err := fmt.Fprintln(r.stdout, files.Quoted(e.name)); err != nil {
			return err
		}
	}
	if e.changed && r.Diff {
		out := r.stdout
		if r.colored {
			out = terminal.Unescaped(out) // it was escaped before it got its colors
		}
		if _, err := out.Write(e.diff); err != nil {
			return err
		}
	}
	return nil
}
