package review

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/claimbridge/claimbridge/webhook/internal/refusal"
)

const (
	// maxObject in bytes, and what is read of a review before its next object. The body of a
	// request that an API server takes has at most 3 MiB, and no copy that a conversion makes has
	// more than four times that and 64 KiB. An admission has two objects.
	maxObject = 16 << 20
	// bodyTimeout is the time for a whole body. On a line of 100 Mbit/s there come 120 MiB.
	bodyTimeout = 10 * time.Second
	// readSize in bytes is read at a time, so that little comes that is not paid for.
	readSize = 64 << 10
)

// call of an API server: a request whose body pays with memory for each object as it comes. Who
// only announces something holds nothing, and no body is ever there as a whole: what was read of a
// review is forgotten after each object.
type call struct {
	*http.Request
	body   io.Reader
	until  time.Time
	memory *memory
	held   int64
	// unread bytes of the body are those since the last object; most is the bound on them.
	unread, most int64
	// items in them, by their commas.
	items int64
	// total bytes that were read.
	total      int64
	connection *http.ResponseController
	// failed is why the body cannot be read to its end.
	failed error
}

// waits reports whether anybody would read the answer. Both are looked at: a timer costs a small
// review half a microsecond.
func (c *call) waits() bool { return c.Context().Err() == nil && time.Now().Before(c.until) }

// context ends when the caller does not wait any more.
func (c *call) context() (context.Context, context.CancelFunc) {
	return context.WithDeadline(c.Context(), c.until)
}

// Read the body.
func (c *call) Read(b []byte) (int, error) {
	if c.failed != nil {
		return 0, c.failed
	}
	most := min(len(b), readSize)
	if left := c.ContentLength - c.total; left > 1 {
		// The last byte comes alone, when the objects are done: from then on net/http reads ahead,
		// which costs as much as a conversion.
		most = int(min(int64(most), left-1))
	}
	n, err := c.body.Read(b[:most])
	c.unread += int64(n)
	c.items += commas(b[:n])
	c.total += int64(n)
	if errors.Is(err, io.EOF) && c.total < c.ContentLength {
		err = io.ErrUnexpectedEOF
	}
	switch {
	case c.unread > c.most:
		err = refusal.New(http.StatusRequestEntityTooLarge,
			"an object is bigger than any that an API server takes: at most %d bytes are read", c.most)
	case err == nil || errors.Is(err, io.EOF):
		if more := c.hold(c.unread, c.items); more != nil {
			err = more
		}
	}
	if err == nil {
		return n, nil
	}
	if c.failed = c.readable(err); errors.Is(err, io.EOF) {
		// The connection is watched until the answer is sent, and must not be taken for dead before.
		_ = c.connection.SetReadDeadline(c.until)
	}
	return n, c.failed
}

func commas(text []byte) int64 { return int64(bytes.Count(text, []byte{','})) }

// readable gives the error that a caller is told.
func (c *call) readable(err error) error {
	if err == io.EOF { //nolint:errorlint // as a reader has to return it, and at the end of each body
		return err
	}
	var limit *http.MaxBytesError
	var refused *refusal.Error
	switch {
	case errors.As(err, &refused):
		return err
	case errors.As(err, &limit):
		return tooBig(limit.Limit)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return refusal.New(http.StatusRequestTimeout, "the body did not arrive in time")
	}
	return notAReview("the body ends before its announced end")
}

func tooBig(limit int64) *refusal.Error {
	return refusal.New(http.StatusRequestEntityTooLarge,
		"the body is bigger than %d bytes: send fewer objects at a time", limit)
}
