package main

import (
	"bytes"
	"cmp"
	"io"
	"net/http"
	"sync"

	"golang.org/x/sync/semaphore"
)

// perReading is what a body is counted with before its first byte: a goroutine or two, and buffers on the way.
const perReading = 64 << 10

// bodies are being read. A request has its room when its body is whole, since who sends a byte a second would keep that from others for a
// minute; until then it is counted by what has come. A quarter of what there is for that is for one caller, so that slow ones are in the way
// of themselves, and a quarter for bodies that are no longer than what each is counted with at first, as those of claims are: who sends long
// ones slowly, in the name of however many, is not in the way of these.
type bodies struct {
	*shares
	long *semaphore.Weighted // of the same bytes, those of longer bodies
}

func newBodies(size int64) *bodies {
	size = max(size, 4*(maxBody+perReading))
	return &bodies{newShares(size), semaphore.NewWeighted(size / 4 * 3)}
}

// reading is what one body is counted with.
type reading struct {
	*bodies
	caller      string
	taken, long int64
}

// upTo so many bytes are counted from now on, of a body that may be a long one.
func (r *reading) upTo(n int64, long bool) error {
	if long {
		if !r.bodies.long.TryAcquire(n - r.long) {
			return errNoRoom
		}
		r.long = n
	}
	if err := r.take(r.caller, n-r.taken); err != nil {
		return err
	}
	r.taken = n
	return nil
}

func (r *reading) free() {
	r.give(r.caller, r.taken)
	r.bodies.long.Release(r.long)
}

// read the body of a request, as much of it as a longest one and a byte, in place of which the request gets what was read. What is wrong with a
// body is for its reader to say, and so it is told there. The function that it gives frees what the body was counted with. The error is
// [errNoRoom] or [overShareError].
func (b *bodies) read(r *http.Request) (length int64, free func(), err error) {
	counted := &reading{bodies: b, caller: callerOf(r.Context())}
	free = sync.OnceFunc(counted.free)
	var body bytes.Buffer
	var broken error
	for next := int64(perReading); broken == nil && length <= maxBody; next = min(2*length, maxBody+1) {
		if err := counted.upTo(next, next > perReading || r.ContentLength > perReading); err != nil {
			return length, free, err
		}
		_, broken = io.CopyN(&body, r.Body, min(next, maxBody)+1-length) // a byte more, of which there is none when that was all
		length = int64(body.Len())
	}
	r.Body = whole{io.MultiReader(&body, ending{broken}), r.Body}
	return length, free, nil
}

// whole body that was read, and the one that it came from.
type whole struct {
	io.Reader
	io.Closer
}

// ending of a body: with the error that reading it had, if it was not all that a reader may have.
type ending struct{ err error }

func (e ending) Read([]byte) (int, error) { return 0, cmp.Or(e.err, io.EOF) }
