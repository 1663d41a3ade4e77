package webhook

import (
	"sync"
	"sync/atomic"
)

// chunkSize in bytes of objects is what one goroutine converts at a time: a millisecond's work, beside which starting it
// is nothing. A review of one claim, which is what API servers send, is one chunk.
const chunkSize = 256 << 10

// chunk is a run of the objects of a review. Chunks are converted side by side and answered in their order.
type chunk struct {
	first   int // place of the first object among all
	objects [][]byte
	bytes   int
	last    bool
	out     []byte // of converted objects
	failed  failures
}

// chunksOf objects, at least one.
func chunksOf(objects [][]byte) []chunk {
	chunks := make([]chunk, 1, 1+len(objects)/1024)
	for i, object := range objects {
		k := &chunks[len(chunks)-1]
		if k.bytes >= chunkSize {
			chunks = append(chunks, chunk{first: i})
			k = &chunks[len(chunks)-1]
		}
		k.objects = objects[k.first : i+1]
		k.bytes += len(object)
	}
	chunks[len(chunks)-1].last = true
	return chunks
}

// all runs work on every chunk: on this goroutine, and on as many helpers as are free.
func (c *converter) all(chunks []chunk, work func(*chunk)) {
	if len(chunks) == 1 {
		work(&chunks[0])
		return
	}
	var next atomic.Int64
	run := func() {
		for {
			i := int(next.Add(1)) - 1
			if i >= len(chunks) {
				return
			}
			work(&chunks[i])
		}
	}
	var group sync.WaitGroup
	defer group.Wait()
	for range len(chunks) - 1 {
		select {
		case c.helpers <- struct{}{}:
			group.Go(func() {
				defer func() { <-c.helpers }()
				run()
			})
			continue
		default:
		}
		break
	}
	run()
}
