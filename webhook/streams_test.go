package webhook

import (
	"net/http"
	"testing"

	"github.com/claimbridge/claimbridge/test/reviews"
)

// TestAStreamThatIsTurnedAwayIsNotRead: it is not counted, so it must not stay for its body.
func TestAStreamThatIsTurnedAwayIsNotRead(t *testing.T) {
	s := newServer(t, Options{})
	s.slots = newSlots(0)
	request := reviews.Post("/convert", "")
	request.ProtoMajor, request.ContentLength, request.Body = 2, 1000, unwanted{t}
	if response := serve(s, request); response.Code != http.StatusTooManyRequests || response.Header.Get("Retry-After") != "1" {
		t.Errorf("%d: %s", response.Code, response.Body)
	}
}

// unwanted is a body that must not be read.
type unwanted struct{ t *testing.T }

func (u unwanted) Read([]byte) (int, error) {
	u.t.Error("the body is read")
	return 0, http.ErrBodyReadAfterClose
}

func (unwanted) Close() error { return nil }
