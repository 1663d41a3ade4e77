package convert

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
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
	told
}

func newStream(ctx context.Context, c *converter, w io.Writer) *stream {
	return &stream{converter: c, pipeline: newPipeline(ctx), partSize: partSize, write: c.output.Text, told: told{log: c.logTo(w)}}
}

// document takes one document.
func (s *stream) document(d *manifest.Document) error {
	if !d.IsComment {
		s.read++
	}
	if d.IsOpen() {
		return s.list(d)
	}
	return s.add(d.Size(), func(p *part) error { return p.document(d) })
}

// failed takes what could not be read, or was skipped. Its place is among the others.
func (s *stream) failed(err error) {
	size := 0
	if e, ok := errors.AsType[*manifest.NotObjectError](err); ok {
		size = e.Document.Size()
	}
	_ = s.add(size, func(p *part) error { p.unread(err); return nil }) // an error here ends the pipeline, and closing it returns it
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
	p, write := s.next, s.write
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
				err = write(p.text.Bytes())
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

// list takes the items of a list while they are read.
func (s *stream) list(d *manifest.Document) error {
	list, err := d.List(s.Strict)
	if err != nil {
		return err
	}
	is := claims.ListType{APIVersion: list.APIVersion, Kind: list.Kind}
	before := s.members(list, is, list.Before)
	if err := s.between(func() error { return s.output.OpenList(before) }); err != nil {
		return err
	}
	s.write = s.output.Items
	read, broken := list.Next()
	for ; broken == nil; read, broken = list.Next() {
		item := manifest.Item{Position: read.Position, Object: bytes.Clone(read.Object)}
		if err := s.add(len(item.Object), func(p *part) error {
			p.log.Locate = nil // nobody knows where its fields are
			if object, ok := p.item(item, 1, is); ok {
				return p.out.Item(object)
			}
			return nil
		}); err != nil {
			return err
		}
	}
	after := s.members(list, is, list.After)
	err = s.between(func() error {
		if err := s.output.CloseList(after); err != nil {
			return err
		}
		if !errors.Is(broken, io.EOF) {
			s.log.Document(d, broken)
		}
		return nil
	})
	s.write = s.output.Text
	return err
}

// between parts something is done, when everything before it is written.
func (s *stream) between(do func() error) error {
	if err := s.flush(); err != nil {
		return err
	}
	return s.do(0, func() func() error { return do })
}
