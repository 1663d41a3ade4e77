package review

import (
	"runtime"
	"slices"
)

// pieceSize in bytes is how much of a big answer is made before it is put away.
const pieceSize = 256 << 10

// piecesACollection is after how much of a big answer, 8 MiB, the memory of conversions is collected. The collector itself would
// wait until there is as much of that as of the body: a review of 20,000 claims took 132 MB where it takes 100.
const piecesACollection = 32

// objects converts all of a review, one after the other, into one buffer. A big answer is never whole beside the whole body:
// nobody needs objects any more that are converted, so each piece of it takes their place, and only what does not fit there
// gets memory of its own. What is not part of an object stays as it was. The answer is whole when nothing failed.
func (c *converter) objects(t task, review *conversionReview) (out answer, failed failures, refused error) {
	buffer := review.appendHead(newBuffer(capacityFor(review.objects) + maxHead))
	first, pieces := 0, 0 // the first one of the objects that are in the buffer
	for i, object := range review.objects {
		if i > 0 {
			if !t.waits() {
				return out, failed, tooLate()
			}
			buffer = append(buffer, ',')
		}
		var err error
		if buffer, err, refused = c.paid(t, buffer, object.of(t.body)); refused != nil {
			return out, failed, refused
		}
		if err != nil {
			failed.add(i, err)
		}
		if len(buffer) < pieceSize || i == len(review.objects)-1 {
			continue
		}
		if failed.count == 0 {
			written, rest := overwrite(span{review.objects[first].begin, object.end}.of(t.body), buffer)
			out.parts = append(out.parts, written, rest)
			if err := c.budget.payAnswer(&out.held, len(rest)); err != nil {
				return out, failed, err
			}
		}
		buffer, first, pieces = buffer[:0], i+1, pieces+1
		if pieces%piecesACollection == 0 {
			runtime.GC()
		}
	}
	out.last = appendSuccess(buffer)
	if cap(out.last) > writeSize { // what is smaller is in the body's share
		refused = c.budget.payAnswer(&out.held, cap(out.last))
	}
	return out, failed, refused
}

// capacityFor what becomes of objects, to begin with: one that is bigger than a piece gets its own when there is memory for it.
func capacityFor(objects []span) (bytes int) {
	for _, object := range objects {
		if bytes >= pieceSize {
			break
		}
		bytes += object.len()
	}
	bytes = min(bytes, pieceSize)
	return bytes + bytes/2
}

// overwrite a region with as much of a text as it holds. The rest is a copy.
func overwrite(region, text []byte) (written, rest []byte) {
	n := copy(region, text)
	return region[:n], slices.Clone(text[n:])
}

// paid appends one converted object when there is memory for it; refused says that there is none.
func (c *converter) paid(t task, out, object []byte) (_ []byte, err, refused error) {
	held, refused := c.budget.toWork(t.caller, object)
	if refused != nil {
		return out, nil, refused
	}
	defer held.release()
	if len(object) > pieceSize {
		out = slices.Grow(out, len(object)+len(object)/2)
	}
	out, err = c.one(out, object, t.group, t.version, t.options)
	return out, err, nil
}
