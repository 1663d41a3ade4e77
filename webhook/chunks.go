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
	objects []span
	failed  failures
	// The answer, which is in two parts.
	answer, rest []byte
}

// region of the body that holds the objects of a chunk and, but for what separates them, nothing else.
func (k *chunk) region() span { return span{k.objects[0].begin, k.objects[len(k.objects)-1].end} }

// lengthOf the first chunk of some objects: how many they are, and how many bytes.
func lengthOf(objects []span) (count, bytes int) {
	for _, object := range objects {
		if bytes >= chunkSize {
			break
		}
		bytes += object.len()
		count++
	}
	return count, bytes
}

// roomFor what becomes of some bytes of objects, to begin with: one that is bigger than a chunk gets its own when there is memory
// for it.
func roomFor(bytes int) int {
	bytes = min(bytes, chunkSize)
	return bytes + bytes/2
}

func chunksOf(objects []span) (chunks []chunk) {
	for first := 0; first < len(objects); {
		count, _ := lengthOf(objects[first:])
		chunks = append(chunks, chunk{first: first, objects: objects[first : first+count]})
		first += count
	}
	return chunks
}

// all runs work on every chunk: on this goroutine, and on as many helpers as are free. Each of them has a buffer, which
// work gives back for the next chunk.
func (c *converter) all(chunks []chunk, work func(k *chunk, buffer []byte) []byte) {
	var next atomic.Int64
	run := func() {
		var buffer []byte
		for {
			i := int(next.Add(1)) - 1
			if i >= len(chunks) {
				return
			}
			buffer = work(&chunks[i], buffer[:0])
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
