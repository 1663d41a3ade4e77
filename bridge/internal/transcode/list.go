package transcode

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/claimbridge/claimbridge/bridge/internal/rawjson"
	"github.com/claimbridge/claimbridge/bridge/jsonconvert"
)

// listBufferBytes is the size of the buffers for reading and writing a list.
const listBufferBytes = 64 << 10

// convertList returns the body of a list or a table of the cluster in the requested version. One item at a time is in
// memory. If the cluster's response ends early, or an item can't be converted, the returned body ends with an error, so
// that the client does not treat a part of a list as the whole list.
func (p versionPair) convertList(body io.ReadCloser) io.ReadCloser {
	converted, writer := io.Pipe()
	go func() {
		w := bufio.NewWriterSize(writer, listBufferBytes)
		err := p.copyList(w, rawjson.NewReader(body, maxObjectBytes, listBufferBytes))
		if err == nil {
			err = w.Flush()
		}
		_ = writer.CloseWithError(err)
	}()
	return convertedList{converted, body}
}

// convertedList is the body of a list that is converted while it is read. Close also closes the body of the cluster.
type convertedList struct {
	*io.PipeReader
	body io.Closer
}

func (l convertedList) Close() error { return errors.Join(l.PipeReader.Close(), l.body.Close()) }

// errItemsFirst is the error for a list whose items were copied unconverted, because they precede its apiVersion.
var errItemsFirst = errors.New("the items precede the apiVersion")

// copyList copies a list or a table, and converts its items and its apiVersion. In a list, the apiVersion must precede
// the items, as API servers write it. Other members are unchanged.
func (p versionPair) copyList(w *bufio.Writer, r *rawjson.Reader) error {
	hasServedType := false // remains false for a PartialObjectMetadataList
	hasItems := false
	separator := byte('{')
	err := r.Members(func(name string) error {
		_ = w.WriteByte(separator) // Flush returns the error
		separator = ','
		_, _ = w.Write(append(rawjson.Quote(name), ':'))
		first, err := r.Peek()
		switch {
		case err != nil:
			return err
		case first == '[' && name == "items" && hasServedType:
			return copyItems(w, r, p.toRequested)
		case first == '[' && name == "items":
			hasItems = true
			return copyItems(w, r, func(item []byte) ([]byte, error) { return item, nil })
		case first == '[' && name == "rows":
			return copyItems(w, r, p.convertRow)
		}
		value, err := r.Value()
		if err != nil {
			return err
		}
		if name == "apiVersion" && rawjson.String(value) == p.servedAPIVersion() {
			if hasItems {
				return errItemsFirst
			}
			hasServedType = true
			value = rawjson.Quote(jsonconvert.Group + "/" + p.requested)
		}
		_, err = w.Write(value)
		return err
	})
	if err != nil {
		return fmt.Errorf("convert the list of the cluster to %s: %w", p.requested, unexpectedEnd(err))
	}
	if separator == '{' {
		_ = w.WriteByte('{')
	}
	_, err = w.WriteString("}\n")
	return err
}

// copyItems copies an array, and converts each of its items.
func copyItems(w *bufio.Writer, r *rawjson.Reader, convert func(item []byte) ([]byte, error)) error {
	separator := byte('[')
	err := r.Items(func() error {
		item, err := r.Value()
		if err != nil {
			return err
		}
		if item, err = convert(item); err != nil {
			return err
		}
		_ = w.WriteByte(separator)
		separator = ','
		_, err = w.Write(item)
		return err
	})
	if separator == '[' {
		_ = w.WriteByte('[')
	}
	_ = w.WriteByte(']')
	return err
}

// unexpectedEnd returns io.ErrUnexpectedEOF instead of io.EOF, because the body ended within a list.
func unexpectedEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
