package manifest

import (
	"bytes"
	"errors"
	"io"
	"sort"
)

// jsonChunk reads the rest of a chunk as an io.Reader for a JSON decoder, and knows which line an offset is on.
type jsonChunk struct {
	*chunks
	part  []byte // read but not delivered
	given int64  // bytes delivered
	allow int64  // bytes that may be delivered before the decoder must have come to an end of something

	base   int64   // offset of the chunk in the stream
	before int     // lines before the first of ends
	ends   []int64 // offsets after the line ends that were delivered and not passed yet
}

// Read implements io.Reader.
func (c *jsonChunk) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if len(c.part) == 0 {
			if n > 0 && c.r.Buffered() == 0 {
				return n, nil // rather give what is there than wait for a slow pipe
			}
			if c.atEnd() {
				break
			}
			if c.part, err = c.readLine(); err != nil && !errors.Is(err, io.EOF) {
				return n, err
			}
		}
		if c.given >= c.allow {
			return n, errTooBig
		}
		m := copy(p[n:], c.part)
		for i := 0; ; i++ {
			next := bytes.IndexByte(c.part[i:m], '\n')
			if next < 0 {
				break
			}
			i += next
			c.ends = append(c.ends, c.given+int64(i)+1)
		}
		c.part = c.part[m:]
		c.given += int64(m)
		n += m
	}
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

// lineOf an offset. Offsets must not go back.
func (c *jsonChunk) lineOf(offset int64) int {
	passed := sort.Search(len(c.ends), func(i int) bool { return c.ends[i] > offset })
	c.before += passed
	c.ends = c.ends[passed:]
	return c.before + 1
}
