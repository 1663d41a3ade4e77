package review

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/claimbridge/claimbridge/webhook/internal/refusal"
)

const (
	// firstBytes is the time for the first 16 KiB of a body, which an API server sends at once: on a line that loses
	// packets TCP sends again after 0.2, 0.6, 1.4 and 3 s.
	firstBytes = 5 * time.Second
	// moreBytes and slowest: what comes in each later lane has two seconds for TCP to send again, and so many bytes a second. On
	// a line of 100 Mbit/s there come 12 MiB. A body of 64 MiB has 27 s in all (5, three times 2, and 16), less than a call.
	moreBytes = 2 * time.Second
	slowest   = 4 << 20
)

// arrival is a body on its way in. It is paid for as it comes: a connection that only announces something holds nothing of
// the budget. The next lane is asked for when all has come that the last one holds.
type arrival struct {
	body *http.Request
	// connection has the deadline of the next reads.
	connection *http.ResponseController
	read       []byte
	ended      bool
}

// readBody reads a whole body within the bound and the budget. The lease covers the body for as long as it is in
// use; the caller releases it.
func readBody(c caller, w http.ResponseWriter, r *http.Request, limit int64, from *budget) ([]byte, lease, error) {
	if r.ContentLength > limit {
		return nil, lease{}, tooBig(limit)
	}
	if r.ContentLength == 0 {
		return nil, lease{}, notAReview("the request has no body")
	}
	if r.ContentLength > 0 {
		limit = r.ContentLength
	}
	a := arrival{body: r, connection: http.NewResponseController(w)}
	var held lease
	err := a.all(c, limit, from, &held)
	if err != nil {
		held.release()
		return nil, lease{}, err
	}
	// The connection is watched until the answer is sent, and must not be taken for dead before.
	_ = a.connection.SetReadDeadline(c.begun.Add(CallTimeout))
	return a.read, held, nil
}

// all reads up to the limit, from lane to lane.
func (a *arrival) all(c caller, limit int64, from *budget, held *lease) error {
	for _, l := range from.bodies {
		most := min(l.most, limit)
		if int64(len(a.read)) >= most {
			continue
		}
		if most > MinWeight { // less is in the buffers of a connection, and those are bounded
			if err := held.move(c, from, most); err != nil {
				return err
			}
		}
		if err := a.fill(c, int(most)); err != nil {
			return err
		}
		if a.ended || int64(len(a.read)) == limit {
			break
		}
	}
	switch {
	case len(a.read) == 0:
		return notAReview("the request has no body")
	case a.body.ContentLength > 0 && int64(len(a.read)) < limit:
		return notAReview("the body ends before its announced end")
	case !a.ended && a.body.ContentLength < 0:
		if err := atEnd(a.body.Body, limit); err != nil {
			return err
		}
	}
	if held.size == 0 {
		return held.move(c, from, MinWeight)
	}
	return nil
}

// fill reads until so many bytes are there, or the body ends. The time for them begins now: who waited for memory loses none.
func (a *arrival) fill(c caller, most int) error {
	end := c.begun.Add(firstBytes)
	if len(a.read) > 0 {
		end = time.Now().Add(moreBytes)
	}
	end = end.Add(time.Duration(most-len(a.read)) * time.Second / slowest)
	_ = a.connection.SetReadDeadline(end) // where there is no connection there is none
	before := a.read
	a.read = append(newBuffer(most), before...)
	freeBuffer(before)
	for len(a.read) < most {
		n, err := a.body.Body.Read(a.read[len(a.read):most])
		a.read = a.read[:len(a.read)+n]
		if errors.Is(err, io.EOF) {
			a.ended = true
			return nil
		}
		if err != nil {
			return unreadable(err)
		}
	}
	return nil
}

// atEnd distinguishes a body that just fits from one that is too big.
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

func tooBig(limit int64) *refusal.Error {
	return refusal.New(http.StatusRequestEntityTooLarge, "the body is bigger than %d bytes: send fewer objects at a time", limit)
}

func unreadable(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		return refusal.New(http.StatusRequestTimeout, "the body did not arrive in time")
	}
	return notAReview("the body ends before its announced end")
}
