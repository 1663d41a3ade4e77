package webhook

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
)

// firstRead is the buffer for a body whose length is not announced; it doubles as the body comes in.
const firstRead = minWeight

// readBody reads a whole body within the bound and the budget. The lease covers the body for as long as it is in
// use; the caller releases it.
func readBody(ctx context.Context, r *http.Request, limit int64, from *budget) ([]byte, lease, error) {
	if r.ContentLength > limit {
		return nil, lease{}, tooBig(limit)
	}
	if r.ContentLength == 0 {
		return nil, lease{}, notAReview("the request has no body")
	}
	held, err := from.acquire(ctx, r.ContentLength)
	if err != nil {
		return nil, lease{}, err
	}
	var body []byte
	if r.ContentLength > 0 {
		body = newBuffer(int(r.ContentLength))[:r.ContentLength]
		_, err = io.ReadFull(r.Body, body)
		err = unreadable(err)
	} else {
		body, err = readGrowing(r.Body, limit, &held)
	}
	if err != nil {
		held.release()
		return nil, lease{}, err
	}
	return body, held, nil
}

// readGrowing reads a body of unknown length and takes from the budget what it has read, not what a caller promises.
func readGrowing(from io.Reader, limit int64, held *lease) ([]byte, error) {
	body := make([]byte, 0, min(firstRead, limit))
	for {
		if int64(len(body)) == limit {
			return body, atEnd(from, limit)
		}
		if len(body) == cap(body) {
			bigger := min(2*int64(cap(body)), limit)
			if err := held.grow(bigger - int64(cap(body))); err != nil {
				return nil, err
			}
			body = append(make([]byte, 0, bigger), body...)
		}
		n, err := from.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case errors.Is(err, io.EOF) && len(body) == 0:
			return nil, notAReview("the request has no body")
		case errors.Is(err, io.EOF):
			return body, nil
		case err != nil:
			return nil, unreadable(err)
		}
	}
}

// atEnd tells a body that just fits from one that is too big.
func atEnd(from io.Reader, limit int64) error {
	var more [1]byte
	switch n, err := io.ReadFull(from, more[:]); {
	case n > 0:
		return tooBig(limit)
	case errors.Is(err, io.EOF):
		return nil
	default:
		return unreadable(err)
	}
}

func tooBig(limit int64) *refusal {
	return refuse(http.StatusRequestEntityTooLarge, "the body is bigger than %d bytes: send fewer objects at a time", limit)
}

func unreadable(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		return refuse(http.StatusRequestTimeout, "the body did not arrive in time")
	}
	return notAReview("the body ends before its announced end")
}
