package review

import (
	"bytes"
	"net/http"

	"github.com/claimbridge/claimbridge/webhook/internal/refusal"
)

const (
	// MinWeight is what the smallest request counts for: a goroutine, its TLS connection and the HTTP buffers.
	MinWeight = 16 << 10
	// maxObject in bytes. The body of a request that an API server takes has at most 3 MiB, and no copy that a conversion makes
	// has more than four times that and 64 KiB.
	maxObject = 16 << 20
	// perByte and perItem are what an object takes while it is converted or judged: copies of its text, and structs of
	// up to 72 bytes, three times that while a list grows. What a list of few kilobytes takes is in MinWeight's share.
	perByte = 4
	perItem = 200
	// minWork lets one object of etcd's size be worked at beside others however small the memory limit.
	minWork = 16 << 20
)

// workFor is the memory for objects in work: twice that of bodies, a quarter of the memory limit.
func workFor(inFlight int64) int64 { return max(2*inFlight, minWork) }

// weigh objects that are worked at together, by the marks that stand before items of lists and members of objects. Marks in
// texts count as well: what is too heavy is not refused for that, it only has to wait until it is alone.
func weigh(objects ...[]byte) (weight int64) {
	for _, object := range objects {
		if len(object) <= MinWeight {
			continue
		}
		weight += perByte * int64(len(object))
		for _, mark := range []string{",", "{", "["} {
			weight += perItem * int64(bytes.Count(object, []byte(mark)))
		}
	}
	return weight
}

// toWork waits until there is memory to work at some objects together. What is heavier than all there is works alone.
func (b *budget) toWork(c caller, objects ...[]byte) (lease, error) {
	for _, object := range objects {
		if err := checkObject(object); err != nil {
			return lease{}, err
		}
	}
	weight := min(weigh(objects...), b.work.size)
	if weight == 0 {
		return lease{}, nil
	}
	return b.take(c, b.work, weight)
}

// payAnswer pays for some bytes of an answer that are beside the body. It never waits: they are there already, and those who
// wait for each other would wait for ever.
func (b *budget) payAnswer(held *lease, bytes int) error {
	held.from, held.lane = b, b.answers
	if held.size+int64(bytes) > b.answers.size {
		return refusal.New(http.StatusRequestEntityTooLarge,
			"the answer has more than %d bytes beside those of the request, which this server may not hold in memory: send fewer objects at a time, or raise GOMEMLIMIT", b.answers.size)
	}
	return held.grow(int64(bytes))
}

// checkObject refuses one that no API server sends.
func checkObject(object []byte) error {
	if len(object) > maxObject {
		return refusal.New(http.StatusRequestEntityTooLarge, "an object of %d bytes is bigger than any that an API server takes: at most %d are read", len(object), maxObject)
	}
	return nil
}
