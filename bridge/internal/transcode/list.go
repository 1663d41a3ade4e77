package transcode

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// listBuffer collects what is written of a list before it is sent. A list that is no bigger can still become an error.
const listBuffer = 64 << 10

// hasItems tells whether the answer may be greater than an object.
func (c *call) hasItems() bool {
	return c.t.name == "" && c.r.Method != http.MethodPost || c.form.convert != nil && c.form.convert.Kind == "Table"
}

// answerItems streams a list or a table from the cluster's response. It holds one item in memory at a time. If the
// cluster's response ends early, or an item can't be converted, it aborts the response, so that the client does not
// treat a part of a list as the whole list.
func (c *call) answerItems(resp *http.Response, header http.Header) (*http.Response, error) {
	in, out := io.Pipe()
	go func() {
		w := bufio.NewWriterSize(out, listBuffer)
		err := c.copyItems(&layout{w: w, form: c.form}, resp.Body)
		if err == nil {
			err = w.Flush()
		}
		_ = out.CloseWithError(err)
	}()
	list := bufio.NewReaderSize(in, listBuffer)
	if _, err := list.Peek(listBuffer); err != nil && !errors.Is(err, io.EOF) {
		_ = resp.Body.Close()
		return nil, err
	}
	header.Set("Content-Type", c.form.contentType())
	return c.stream(resp.StatusCode, header, items{list, in, resp.Body}), nil
}

// items of a list; closed, the copying ends as well.
type items struct {
	io.Reader
	out, in io.Closer
}

func (i items) Close() error { return errors.Join(i.in.Close(), i.out.Close()) }

// showTable appends a table that is in memory, as one of an event is.
func (c *call) showTable(out, table []byte) ([]byte, error) {
	var shown bytes.Buffer
	w := bufio.NewWriter(&shown)
	if err := c.copyItems(&layout{w: w}, bytes.NewReader(table)); err != nil {
		return out, err
	}
	if err := w.Flush(); err != nil {
		return out, err
	}
	return append(out, bytes.TrimSuffix(shown.Bytes(), []byte("\n"))...), nil
}

// copyItems copies the items of a list or a table from the cluster's response and converts them. Other members are
// unchanged, except for the apiVersion of a list. API servers write that before the items.
func (c *call) copyItems(to *layout, from io.Reader) error {
	in := &bounded{from: from}
	d := jsontext.NewDecoder(in, asWritten...)
	token, err := d.ReadToken()
	if err != nil || token.Kind() != '{' {
		return cut(err)
	}
	to.begin()
	isStored := false // whether the list is of the version that the cluster stores
	for d.PeekKind() != '}' {
		in.read = 0
		if isStored, err = c.copyMember(to, d, in, isStored); err != nil {
			return err
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return cut(err)
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return cut(err)
	}
	return to.end()
}

// copyMember copies the next member of a list. It returns whether the list is of the version that the cluster stores:
// its apiVersion says so, or a member before it did.
func (c *call) copyMember(to *layout, d *jsontext.Decoder, in *bounded, isStored bool) (bool, error) {
	quoted, err := d.ReadValue()
	if err != nil {
		return isStored, cut(err)
	}
	name := strings.Clone(objectjson.StringOf(quoted)) // the decoder uses its memory again
	if d.PeekKind() == '[' {
		switch name {
		case "items":
			return isStored, c.copyArray(to, name, d, in, c.showItem(isStored))
		case "rows":
			return isStored, c.copyArray(to, name, d, in, c.showRow)
		}
	}
	value, err := d.ReadValue()
	if err != nil {
		return isStored, cut(err)
	}
	if name == "apiVersion" && objectjson.StringOf(value) == c.stored() {
		isStored = true
		value = objectjson.AppendQuoted(nil, c.gvk().GroupVersion().String())
	}
	return isStored, to.member(name, value)
}

func (c *call) copyArray(to *layout, name string, d *jsontext.Decoder, in *bounded,
	show func(out, item []byte) ([]byte, error),
) error {
	if _, err := d.ReadToken(); err != nil {
		return cut(err)
	}
	if err := to.array(name); err != nil {
		return err
	}
	var buffer []byte
	for d.PeekKind() != ']' {
		in.read = 0
		item, err := d.ReadValue()
		if err != nil {
			return cut(err)
		}
		if buffer, err = show(buffer[:0], item); err != nil {
			return err
		}
		if err := to.item(buffer); err != nil {
			return err
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return cut(err)
	}
	to.endArray()
	return nil
}

// showItem of a list, whose items do not say what they are, as the list does.
func (c *call) showItem(ours bool) func(out, item []byte) ([]byte, error) {
	return func(out, item []byte) ([]byte, error) {
		if !ours { // metadata alone
			return append(out, item...), nil
		}
		converted, err := c.toRequested(item)
		if err != nil {
			return out, c.unshown(item, err)
		}
		return append(out, converted...), nil
	}
}

// showRow of a table: its object, which is there when the client asked for it.
func (c *call) showRow(out, row []byte) ([]byte, error) {
	return replace(out, row, "object", c.show)
}

// cut is the error for an answer that is not what an API server sends.
func cut(err error) error {
	if errors.Is(err, errTooBig) {
		return apierrors.NewInternalError(errTooBig)
	}
	return fmt.Errorf("the response of the cluster ended early: %w", err)
}
