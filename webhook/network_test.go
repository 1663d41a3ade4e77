package webhook

import (
	"io"
	"strings"
)

// slowly returns a reader of the first byte of a body, and of the rest once a channel is closed.
func slowly(body string, released <-chan struct{}) io.Reader {
	return io.MultiReader(strings.NewReader(body[:1]), emptyReader(released), strings.NewReader(body[1:]))
}

// emptyReader ends once its channel is closed.
type emptyReader <-chan struct{}

func (r emptyReader) Read([]byte) (int, error) {
	<-r
	return 0, io.EOF
}
