package webhook

import (
	"io"
	"strings"
)

// slowly returns the first byte of a body, and the rest when it is released.
func slowly(body string, may <-chan struct{}) io.Reader {
	return io.MultiReader(strings.NewReader(body[:1]), waiting(may), strings.NewReader(body[1:]))
}

// waiting for a channel is all that there is to read.
type waiting <-chan struct{}

func (w waiting) Read([]byte) (int, error) {
	<-w
	return 0, io.EOF
}
