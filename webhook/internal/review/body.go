package review

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/claimbridge/claimbridge/webhook/internal/httperror"
)

const (
	// bodyTimeout is the time for a whole body. 120 MiB arrive in it at 100 Mbit/s.
	bodyTimeout = 10 * time.Second
	// responseTimeout is the time in which a client must read a response. 60 MiB are sent in it at 100 Mbit/s.
	responseTimeout = 5 * time.Second
	// readSize is the size of the first buffer for a body. Larger buffers follow as the body arrives, so a client
	// cannot reserve memory with a Content-Length alone.
	readSize = 64 << 10
)

// readBody reads the body of a request, which reserves memory as it arrives.
func (h *handler) readBody(ctx context.Context, w http.ResponseWriter, r *http.Request,
	bodyMemory *reservation,
) ([]byte, error) {
	connection := http.NewResponseController(w)
	_ = connection.SetReadDeadline(time.Now().Add(bodyTimeout)) // fails only without a connection, in tests
	body := http.MaxBytesReader(w, r.Body, h.MaxRequestBytes)
	limit := h.MaxRequestBytes + 1 // one byte more than a body may have, for the end of the body
	if r.ContentLength >= 0 {
		limit = r.ContentLength + 1
	}
	var buffer []byte
	for size := min(limit, readSize); ; size = min(2*size, limit) {
		if err := bodyMemory.growTo(ctx, size); err != nil {
			return nil, err
		}
		larger := make([]byte, len(buffer), size)
		copy(larger, buffer)
		var err error
		buffer, err = fill(larger, body)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || size == limit {
			return nil, bodyError(err)
		}
	}
	if int64(len(buffer)) < r.ContentLength {
		return nil, bodyError(io.ErrUnexpectedEOF)
	}
	// From now on, the deadline is that of the request. Until then, the server must not close the connection.
	if deadline, ok := ctx.Deadline(); ok {
		_ = connection.SetReadDeadline(deadline)
	}
	return buffer, nil
}

// fill reads a body into a buffer, up to its capacity. It returns io.EOF at the end of the body.
func fill(buffer []byte, body io.Reader) ([]byte, error) {
	for len(buffer) < cap(buffer) {
		n, err := body.Read(buffer[len(buffer):cap(buffer)])
		buffer = buffer[:len(buffer)+n]
		if err != nil {
			return buffer, err
		}
	}
	return buffer, nil
}

// bodyError returns the error for the client when a body cannot be read.
func bodyError(err error) error {
	var tooManyBytes *http.MaxBytesError
	switch {
	case errors.As(err, &tooManyBytes):
		return tooLarge(tooManyBytes.Limit)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return httperror.New(http.StatusRequestTimeout, "the body did not arrive in time")
	}
	return notAReview("the body is incomplete")
}

func tooLarge(limit int64) *httperror.Error {
	return httperror.New(http.StatusRequestEntityTooLarge,
		"the body exceeds the limit of %d bytes: increase --max-request-bytes of claimbridge serve", limit)
}
