package review

import (
	"net/http"
	"time"
)

// answer to a review, in parts that are written one after the other.
type answer struct {
	// parts of a big answer, which come before its last one.
	parts [][]byte
	// last is a buffer that is given back when it is written. A small answer has nothing else.
	last []byte
	// held is the memory for what was not the body's already.
	held lease
}

func (a answer) size() int {
	size := len(a.last)
	for _, part := range a.parts {
		size += len(part)
	}
	return size
}

// writeSize in bytes is written at a time, and must be taken within writePatience: who asks for much and does not read it
// would otherwise keep it in memory for all of writeTimeout. Less is taken by the kernel at once.
const (
	writeSize     = 256 << 10
	writePatience = 5 * time.Second
)

// write all of it, unless the caller is gone, who would not hear of it. A buffer that could not be written is not used again:
// HTTP/2 returns at once when its stream is reset, and may still be reading.
func (a answer) write(w http.ResponseWriter) {
	for i, part := range a.parts {
		if !writeAll(w, part) {
			return
		}
		a.parts[i] = nil
	}
	if writeAll(w, a.last) {
		freeBuffer(a.last)
	}
}

func writeAll(w http.ResponseWriter, part []byte) bool {
	for len(part) > writeSize/2 {
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writePatience)) // recorders have none
		n := min(len(part), writeSize)
		if _, err := w.Write(part[:n]); err != nil {
			return false
		}
		part = part[n:]
	}
	_, err := w.Write(part)
	return err == nil
}
