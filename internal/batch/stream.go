package batch

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/internal/migrate"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// Stream converts an input to a stream. If the output can be written, stderr has the findings and a summary when it
// returns. The error says how many objects failed, or why the output could not be written.
func Stream(ctx context.Context, in input.Input, o Options, stdin io.Reader, stdout, stderr io.Writer) error {
	out := stdout
	var held *os.File // temporary file for the output, because the input may be a pipe that can be read only once
	if o.Atomic {
		var err error
		if held, err = temporary(); err != nil {
			return fmt.Errorf("--atomic: %w", err)
		}
		defer func() { _ = held.Close() }() // this removes the file
		out = held
		o.Reports.Hold()
	}
	in.LeaveUnparsed = true
	progress, stop := startProgress(in.List(), true, stdout, stderr)
	defer stop()
	in.WrapReader = progress.reader
	s := newStream(ctx, &in, o, yamldoc.NewWriter(out, o.Format), progress)
	readErr := in.Each(stdin, s.addUnreadable, s.addDocument)
	if err := cmp.Or(s.end(), readErr); err != nil {
		return err
	}
	if err := s.output.Flush(); err != nil {
		return err
	}
	err := s.writeHeldOutput(held, stdout)
	s.run.Reports.SetObjects(s.objects())
	s.run.finish()
	if !o.Quiet {
		fmt.Fprintln(progress, streamSummary(s.run.counts, o.To.String(), &s.run.printer))
	}
	return cmp.Or(s.failure(), err)
}

// writeHeldOutput writes the held output of --atomic, if nothing failed.
func (s *stream) writeHeldOutput(held *os.File, stdout io.Writer) error {
	if !s.run.Atomic || s.run.hasFailed() {
		return nil
	}
	if _, err := io.Copy(stdout, io.NewSectionReader(held, 0, math.MaxInt64)); err != nil {
		return err
	}
	s.run.Reports.ReportHeld(true)
	return nil
}

// objects returns how many objects of the input have a version, and how many of them changed in the output.
func (s *stream) objects() (checked, changed int) {
	c := s.run.counts
	checked = c.Claims + c.OthersChanged + c.OthersCurrent
	if s.run.Atomic && s.run.hasFailed() {
		return checked, 0
	}
	return checked, c.Converted + c.OthersChanged
}

// failure returns an error with the number of objects that failed, or nil.
func (s *stream) failure() error {
	failed, warnings := s.run.printer.Failed, findings.Count(s.run.printer.FailingWarnings(), "warning")
	switch {
	case failed > 0:
		return errors.New(s.failedText())
	case s.run.hasFailingWarnings() && s.run.Atomic:
		return fmt.Errorf("%s, so nothing was written (--atomic, --fail-on=warning)", warnings)
	case s.read == 0:
		return errNoObjects
	case s.run.hasFailingWarnings():
		return fmt.Errorf("%s (--fail-on=warning)", warnings)
	}
	return nil
}

// failedText describes the failures, such as "2 objects failed and were not written; 1 file could not be read".
func (s *stream) failedText() string {
	var reasons []string
	objects := findings.Count(s.run.printer.FailedObjects(), "object")
	switch n := s.run.printer.FailedObjects(); {
	case n > 0 && s.run.Atomic:
		reasons = append(reasons, objects+" failed")
	case n == 1:
		reasons = append(reasons, objects+" failed and was not written")
	case n > 1:
		reasons = append(reasons, objects+" failed and were not written")
	}
	if n := s.run.printer.FailedFiles; n > 0 {
		reasons = append(reasons, findings.Count(n, "file")+" could not be read")
	}
	text := strings.Join(reasons, "; ")
	if s.run.Atomic {
		text += ", so nothing was written (--atomic)"
	}
	return text
}

// stream cuts an input into parts, converts them at the same time, and writes them in order.
type stream struct {
	run      *run
	pipeline *pipeline
	output   *yamldoc.Writer
	partSize int   // in bytes; a part that reaches it is converted
	read     int   // number of documents
	next     *part // documents that are not yet converted
}

// part is a part of a stream: its documents, and errors in place of documents.
type part struct {
	convert []func() migrate.Result
	size    int
}

// partOverhead in bytes is added to the size of a document. It limits parts of very small documents, and of errors.
const partOverhead = 256

func newStream(
	ctx context.Context, in *input.Input, o Options, output *yamldoc.Writer, progress *progress,
) *stream {
	o.KeepText = output.CanWriteText()
	return &stream{
		run: newRun(o, in, progress), pipeline: newPipeline(ctx), output: output, partSize: defaultPartSize,
	}
}

// addDocument adds a document to the next part.
func (s *stream) addDocument(d *yamldoc.Document) error {
	if !d.IsComment {
		s.read++
	}
	return s.add(d.Size(), func() migrate.Result { return s.run.converter.ConvertInStream(d) })
}

// addUnreadable adds an error in place of a document that could not be read, or was skipped.
func (s *stream) addUnreadable(err error) {
	size := 0
	if e, ok := errors.AsType[*yamldoc.NotObjectError](err); ok {
		size = e.Document.Size()
	}
	// An error ends the pipeline, and close returns it.
	_ = s.add(size, func() migrate.Result { return s.run.converter.ResultForUnreadable(err) })
}

// add adds a document to the next part, and converts the part if it is large enough.
func (s *stream) add(size int, convert func() migrate.Result) error {
	if s.next == nil {
		s.next = &part{}
	}
	s.next.convert = append(s.next.convert, convert)
	s.next.size += size + partOverhead
	if s.next.size < s.partSize {
		return nil
	}
	return s.flush()
}

// flush starts the conversion of the next part.
func (s *stream) flush() error {
	p := s.next
	s.next = nil
	if p == nil {
		return nil
	}
	return s.pipeline.do(p.size, func() func() error {
		var text bytes.Buffer
		out := s.output.Part(&text)
		var all migrate.Result
		var writeErr error
		for i, convert := range p.convert {
			result := convert()
			p.convert[i] = nil // release the YAML nodes of the document
			s.run.progress.objects.Add(int64(result.Counts.Claims))
			all.Include(&result)
			if writeErr = write(out, &result); writeErr != nil {
				break
			}
		}
		return func() error {
			s.run.include(&all)
			if writeErr == nil && text.Len() > 0 {
				writeErr = s.output.WriteText(text.Bytes())
			}
			return writeErr
		}
	})
}

// write writes the result of a document.
func write(out *yamldoc.Writer, r *migrate.Result) error {
	switch {
	case r.Text != nil:
		return out.WriteText(r.Text)
	case r.Object != nil && !r.Failed:
		return out.WriteObject(r.Object)
	}
	return nil
}

// end waits until all documents are converted and written.
func (s *stream) end() error {
	_ = s.flush() // close returns the same error
	if err := s.pipeline.close(); err != nil {
		return err
	}
	s.run.reportFacts()
	return nil
}

// temporary returns a file without a name, which is removed when it is closed, also after SIGKILL. Windows keeps the
// name of an open file, and removes it when its last handle is closed, by FILE_FLAG_DELETE_ON_CLOSE, which os.OpenFile
// passes on.
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
