package convert

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
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
)

// InFiles says what is to be done with files whose claims are converted where they stand.
type InFiles struct {
	// Write them, or to OutputDir all files of the folders that were named. Without either nothing is written.
	Write     bool
	OutputDir string
	// List the names of those that change, and show the Diff, on stdout.
	List, Diff bool
	// Rewrite what cannot be edited.
	Rewrite bool
	// AcceptLeftovers that no driver reads.
	AcceptLeftovers bool
}

func (f *InFiles) writes() bool { return f.Write || f.OutputDir != "" }

// Outcome of a conversion in files.
type Outcome struct {
	Failed  bool // something could not be converted or written
	Changed bool // a file was changed, or would be
}

// RunInFiles converts claims in their files. What went wrong stands on stderr when it returns, and as its last line what became of
// all. The error is one of the whole: of writing to stdout, of replacing files all or none, or of an end before the end.
func RunInFiles(ctx context.Context, in input.Input, o Options, f InFiles, stdin io.Reader, stdout, stderr io.Writer) (Outcome, error) {
	in.Recursive, in.Others, in.WithTexts, in.TellTexts = true, f.OutputDir != "", true, o.Also
	found, err := once(in.List(), len(in.Files), f.Write)
	if err == nil && f.OutputDir != "" {
		err = apart(found, f.OutputDir)
	}
	if err != nil {
		return Outcome{}, err
	}
	ctx, stopSignals := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE) // temporary files do not stay
	defer stopSignals()
	defer context.AfterFunc(ctx, stopSignals)() // so that a second one ends the program, whatever it waits for
	progress, stop := startProgress(found, f.List || f.Diff, stdout, stderr)
	defer stop()
	yaml, err := manifest.NewWriter(io.Discard, "yaml") // texts stay, and nothing else is asked of it
	if err != nil {
		return Outcome{}, err
	}
	c := &converter{
		to: o.To.Version, target: o.To, output: yaml, groups: o.Groups, strict: o.Strict, explain: o.Explain, objects: &progress.objects,
		also: o.Also, reports: o.Reports, inFiles: true, acceptLeftovers: f.AcceptLeftovers, named: in.IsNamed,
	}
	r := &inFiles{
		InFiles: f, converter: c, pipeline: newPipeline(ctx), pages: in.Pages, atomic: o.Atomic, stdin: stdin, stdout: stdout, progress: progress,
		coloured: isTerminal(stdout) && os.Getenv("NO_COLOR") == "", delivered: delivered{log: c.logTo(progress)},
	}
	for _, file := range found {
		if err := r.do(int(max(file.Size, 0)), func() func() error {
			e := r.edit(file)
			return func() error { return r.put(e) }
		}); err != nil {
			break // closing it returns the same
		}
	}
	if err = r.close(); err == nil && r.log.Failed == 0 && !r.pages && r.count.files+r.count.speak == 0 && slices.ContainsFunc(found, func(f input.File) bool { return !f.Named }) {
		err = errors.New("there are no objects in the input") // a folder was named that is not the right one
	}
	r.compared.advise(r.target, &r.log)
	warned := o.FailOn == finding.Warning && r.log.Warnings > r.log.Common
	failed := r.log.Failed > 0 || warned
	if r.atomic && err == nil && !failed {
		err = files.PutAll(r.waiting)
	}
	if err != nil || failed {
		r.undo()
	}
	r.discard()
	r.finish(o.Reports, progress)
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
	}
	if err != nil {
		fmt.Fprintln(progress, "error:", err)
	} else if warned && r.log.Failed == 0 {
		fmt.Fprintf(progress, "error: %s (--fail-on=warning)\n", problems.Many(r.log.Warnings, "warning"))
	}
	fmt.Fprintln(progress, r.count.line(r.log.Failed, r.log.Warnings-r.log.Common, len(found), f.writes()))
	return Outcome{Failed: failed || err != nil, Changed: r.count.changed > 0}, nil
}

// inFiles converts claims where they stand, file by file.
type inFiles struct {
	InFiles
	*converter
	*pipeline
	pages    bool // of Markdown have their blocks edited
	atomic   bool
	stdin    io.Reader
	stdout   io.Writer
	progress *progress
	coloured bool

	staged  sync.Map     // temporary files: *files.Staged
	staging sync.RWMutex // held while one is made
	over    bool         // none is to be made any more

	// These are used where edits are delivered.
	count count
	delivered
	waiting []*files.Staged // for all others
}

// put what became of a file in its place, when its text is on the disk.
func (r *inFiles) put(e *edit) error {
	p := e.part
	r.take(p)
	tally := p.tally
	if p.reset() {
		r.parts.Put(p)
	}
	if e.staged != nil && !r.atomic {
		if err := e.staged.Put(); err != nil {
			r.log.Error(err)
			e.changed = false
		}
	} else if e.staged != nil {
		r.waiting = append(r.waiting, e.staged)
	}
	r.count.add(e, tally)
	if e.changed && r.List {
		if _, err := fmt.Fprintln(r.stdout, files.Quoted(e.name)); err != nil {
			return err
		}
	}
	if e.changed && r.Diff {
		if _, err := r.stdout.Write(e.diff); err != nil {
			return err
		}
	}
	return nil
}

// undo what was counted: all files are as they were.
func (r *inFiles) undo() {
	if r.atomic {
		r.count.converted, r.count.changed = 0, 0
	}
}
