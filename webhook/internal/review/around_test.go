package review

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/test/reviews"
)

// around is a server whose conversion copies the object, so that what is measured is all else.
func around(t testing.TB) http.Handler {
	t.Helper()
	s := newServer(t, Options{Groups: Groups{"*"}, MaxInFlightBytes: 1 << 30})
	s.convert.convert = func(out, object []byte, _ string, _ conversion.Options) ([]byte, conversion.Report, error) {
		return append(append(out, object...),
			"    "...), conversion.Report{Group: "resource.k8s.io", Version: "v1alpha2"}, nil
	}
	return s
}

// nowhere is where answers go, or do not.
type nowhere struct {
	header http.Header
	err    error
}

func (n nowhere) Header() http.Header         { return n.header }
func (nowhere) WriteHeader(int)               {}
func (n nowhere) Write(b []byte) (int, error) { return len(b), n.err }

// SetReadDeadline is what a connection has.
func (nowhere) SetReadDeadline(time.Time) error { return nil }

// repeated gives a function that sends the same request again and again.
func repeated(handler http.Handler, body string) func() {
	request := reviews.Post("/convert?timeout=30s", body)
	reader := bytes.NewReader([]byte(body))
	request.Body = io.NopCloser(reader)
	answer := nowhere{http.Header{}, nil}
	return func() {
		_, _ = reader.Seek(0, io.SeekStart)
		clear(answer.header)
		handler.ServeHTTP(answer, request)
	}
}

// TestASmallReviewAllocatesLittle: the race detector makes pools forget, so the bound is a little above what there is.
func TestASmallReviewAllocatesLittle(t *testing.T) {
	send := repeated(around(t), reviews.Conversion("resource.k8s.io/v1alpha3", reviews.ClaimV1alpha2))
	if got := testing.AllocsPerRun(200, send); got > 18 { // 14, and what a pool forgets with the race detector
		t.Errorf("%v allocations around the conversion of a claim", got)
	}
}

// TestTheLastByteIsReadWhenTheObjectsAreDone: net/http watches the connection from then on, in a goroutine of its own.
func TestTheLastByteIsReadWhenTheObjectsAreDone(t *testing.T) {
	s, left := newServer(t, Options{Groups: Groups{"*"}, MaxInFlightBytes: 1 << 30}), -1
	body := strings.NewReader(reviews.Conversion("resource.k8s.io/v1alpha3", reviews.ClaimV1alpha2))
	s.convert.convert = func(out, _ []byte, _ string, _ conversion.Options) ([]byte, conversion.Report, error) {
		left = body.Len()
		return out, conversion.Report{}, nil
	}
	request := httptest.NewRequest(http.MethodPost, "/convert", body)
	s.ServeHTTP(nowhere{http.Header{}, nil}, request)
	if left != 1 || body.Len() != 0 {
		t.Errorf("%d bytes were left when the object was converted, and %d in the end", left, body.Len())
	}
}

// TestABufferThatWasNotWrittenIsNotUsedAgain: HTTP/2 may still be reading it.
func TestABufferThatWasNotWrittenIsNotUsedAgain(t *testing.T) {
	s := newServer(t, Options{})
	s.ServeHTTP(nowhere{http.Header{}, errors.New("stream closed")},
		reviews.Post("/convert", reviews.Conversion("resource.k8s.io/v1alpha3", reviews.ClaimV1alpha2)))
	if s.convert.tasks.Get() != nil {
		t.Fatal("the next request gets the buffer")
	}
}
