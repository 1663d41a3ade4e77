package webhook

import (
	"cmp"
	"slices"
	"sync"
)

// chunked converts a review of more than one chunk, without ever holding the whole answer beside the whole body: when all
// objects of a chunk are converted nobody needs them any more, so that their answer takes their place, and only what does
// not fit there gets memory of its own. What is not part of an object stays as it was. The answer is whole when nothing
// failed.
func (c *converter) chunked(t task, review conversionReview) (answer, failures) {
	chunks := chunksOf(review.objects)
	var paying sync.Mutex
	var held lease
	var refused error
	c.all(chunks, func(k *chunk, buffer []byte) []byte {
		paying.Lock()
		over := refused != nil
		paying.Unlock()
		if over { // nobody waits for the others any more
			return buffer
		}
		region := k.region().of(t.body)
		if buffer == nil {
			buffer = newBuffer(roomFor(len(region)))
		}
		if k.first > 0 {
			buffer = append(buffer, ',')
		}
		buffer, k.failed = c.objects(t, buffer, k.objects, k.first)
		if k.failed.count == 0 {
			k.answer, k.rest = overwrite(region, buffer)
		}
		paying.Lock()
		defer paying.Unlock()
		refused = cmp.Or(refused, k.failed.refused, c.budget.payAnswer(&held, len(k.rest)))
		return buffer
	})
	out := answer{first: review.appendHead(newBuffer(maxHead)), rest: make([][]byte, 0, 2*len(chunks)+1), held: held}
	var failed failures
	for _, k := range chunks {
		failed.join(k.failed)
		out.rest = append(out.rest, k.answer, k.rest)
	}
	failed.refused = refused
	out.rest = append(out.rest, appendSuccess(nil))
	return out, failed
}

// overwrite a region with as much of a text as it holds. The rest is a copy.
func overwrite(region, text []byte) (written, rest []byte) {
	n := copy(region, text)
	return region[:n], slices.Clone(text[n:])
}
