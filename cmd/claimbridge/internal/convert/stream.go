package convert

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
)

// stream cuts the input into parts, has them converted, and writes them in order.
type stream struct {
	*converter
	*pipeline
	partSize int                     // in bytes; a part is handed over when it has as many
	read     int                     // documents
	next     *part                   // documents that wait for more
	write    func(text []byte) error // what becomes of them

	// These are used where parts are delivered.
	out   *manifest.Writer
	tally tally
	delivered
}

func newStream(ctx context.Context, c *converter, log problems.Log) *stream {
	return &stream{converter: c, pipeline: newPipeline(ctx), partSize: partSize, out: c.output, write: c.output.Text, delivered: delivered{log: log}}
}

// document takes one document.
func (s *stream) document(d *manifest.Document) error {
	if !d.IsComment {
		s.read++
	}
	if d.IsOpen() {
		return s.list(d)
	}
	return s.add(document{Document: d}, d.Size())
}

// failed takes what could not be read, or was skipped. Its place is among the others.
func (s *stream) failed(err error) {
	size := 0
	if e, ok := errors.AsType[*manifest.NotObjectError](err); ok {
		size = e.Document.Size()
	}
	_ = s.add(document{err: err}, size) // an error here ends the pipeline, and closing it returns it
}

// textFile takes a file that is no manifest.
func (s *stream) textFile(path string) error { return s.add(document{text: path}, 0) }

func (s *stream) add(d document, size int) error {
	if s.next == nil {
		s.next = s.part()
	}
	s.next.documents = append(s.next.documents, d)
	if s.next.size += size + overhead; s.next.size < s.partSize {
		return nil
	}
	return s.flush()
}

// flush hands over the documents that wait, to be converted and written.
func (s *stream) flush() error {
	if s.next == nil {
		return nil
	}
	p, write := s.next, s.write
	s.next = nil
	return s.do(p.size, func() func() error {
		err := p.convert()
		return func() error {
			s.take(p)
			s.tally.add(p.tally)
			if err == nil && p.text.Len() > 0 {
				err = write(p.text.Bytes())
			}
			if p.reset() {
				s.parts.Put(p)
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
	s.compared.advise(s.target, &s.log)
	return nil
}

// list takes the items of a list while they are read.
func (s *stream) list(d *manifest.Document) error {
	if err := s.flush(); err != nil {
		return err
	}
	list, err := d.List(s.strict)
	if err != nil {
		return err
	}
	is := claims.TypeOfList(list)
	ours := s.groups.ClaimList(is.APIVersion, is.Kind)
	before := s.members(list, list.Before, ours)
	if err := s.then(func() error { return s.out.OpenList(before) }); err != nil {
		return err
	}
	s.write = s.out.Items
	read, err := list.Next()
	for ; err == nil; read, err = list.Next() {
		if err := s.add(document{item: &item{bytes.Clone(read.Object), read.Position, is}}, len(read.Object)); err != nil {
			return err
		}
	}
	if err := s.flush(); err != nil {
		return err
	}
	s.write = s.out.Text
	broken := err
	after := s.members(list, list.After, ours)
	return s.then(func() error {
		if err := s.out.CloseList(after); err != nil {
			return err
		}
		if !errors.Is(broken, io.EOF) {
			s.log.Document(d, broken)
		}
		return nil
	})
}

// then does something when everything before it is written.
func (s *stream) then(do func() error) error {
	return s.do(0, func() func() error { return do })
}
