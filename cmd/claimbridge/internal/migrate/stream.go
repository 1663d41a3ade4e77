package migrate

import (
	"context"
	"errors"
	"io"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
)

// stream cuts the input into parts, has them converted, and writes them in order.
type stream struct {
	*converter
	*pipeline
	partSize int   // in bytes; a part is handed over when it has as many
	read     int   // documents
	next     *part // documents that wait for more

	// These are used where parts are delivered.
	told
}

func newStream(ctx context.Context, c *converter, w io.Writer) *stream {
	return &stream{converter: c, pipeline: newPipeline(ctx), partSize: partSize, told: told{log: c.logTo(w)}}
}

// document takes one document.
func (s *stream) document(d *yamldoc.Document) error {
	if !d.IsComment {
		s.read++
	}
	return s.add(d.Size(), func(p *part) error { return p.document(d) })
}

// failed takes what could not be read, or was skipped. Its place is among the others.
func (s *stream) failed(err error) {
	size := 0
	if e, ok := errors.AsType[*yamldoc.NotObjectError](err); ok {
		size = e.Document.Size()
	}
	// an error here ends the pipeline, and closing it returns it
	_ = s.add(size, func(p *part) error { p.unread(err); return nil })
}

// add work on so many bytes.
func (s *stream) add(size int, work func(*part) error) error {
	if s.next == nil {
		s.next = s.part()
	}
	s.next.work = append(s.next.work, work)
	if s.next.size += size + overhead; s.next.size < s.partSize {
		return nil
	}
	return s.flush()
}

// flush hands over the documents that wait, to be converted and written.
func (s *stream) flush() error {
	p := s.next
	if s.next = nil; p == nil {
		return nil
	}
	return s.do(p.size, func() func() error {
		var err error
		for i, work := range p.work {
			if err = work(p); err != nil {
				break
			}
			p.work[i] = nil // the nodes of YAML are garbage as soon as they are converted
		}
		return func() error {
			s.take(p)
			if err == nil && p.text.Len() > 0 {
				err = s.output.Text(p.text.Bytes())
			}
			return err
		}
	})
}

// end waits until all is converted and written.
func (s *stream) end() error {
	_ = s.flush() // its error is that of the pipeline
	if err := s.close(); err != nil {
		return err
	}
	s.compared.advise(s.To, &s.log)
	return nil
}
