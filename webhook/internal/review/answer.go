package review

import (
	"net/http"
	"strconv"
)

// sendSize in bytes is how much of an answer is made before it is sent. What is smaller, as all
// answers to API servers are, is sent when it is whole, with its length; before that an answer may
// still become an HTTP error.
const sendSize = 256 << 10

// contentType of all answers, a header's value that nobody changes.
var contentType = []string{applicationJSON}

// answer that is sent while it is made.
type answer struct {
	to  http.ResponseWriter
	out []byte
	// begun is set when some of it is sent.
	begun bool
	// err of sending: the caller is gone.
	err error
}

// send what there is, when that is much.
func (a *answer) send() error {
	if len(a.out) < sendSize {
		return nil
	}
	if !a.begun {
		a.begun = true
		a.to.Header()["Content-Type"] = contentType
		// the rest of the body is still to come; HTTP/2 always can
		_ = http.NewResponseController(a.to).EnableFullDuplex()
	}
	_, a.err = a.to.Write(a.out)
	a.out = a.out[:0]
	return a.err
}

// finish sends the rest.
func (a *answer) finish() {
	if !a.begun {
		header := a.to.Header()
		header["Content-Type"] = contentType
		header["Content-Length"] = []string{strconv.Itoa(len(a.out))}
	}
	_, a.err = a.to.Write(a.out)
}
