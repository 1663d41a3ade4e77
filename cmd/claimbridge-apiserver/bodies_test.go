package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/request"
)

func post(caller string, body io.Reader) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/", body)
	return r.WithContext(request.WithUser(r.Context(), &user.DefaultInfo{Name: caller}))
}

// What is read of a body is what was sent, to the byte and with its error, and a byte more than the longest is all that is read.
func TestABodyIsReadAsItIs(t *testing.T) {
	broken := errors.New("broken")
	tests := map[string]struct {
		body io.Reader
		want int
		err  error
	}{
		"short":                   {strings.NewReader("{}"), 2, nil},
		"of several pieces":       {strings.NewReader(strings.Repeat("x", 1<<20+1)), 1<<20 + 1, nil},
		"the longest":             {strings.NewReader(strings.Repeat("x", maxBody)), maxBody, nil},
		"longer than the longest": {strings.NewReader(strings.Repeat("x", 2*maxBody)), maxBody + 1, nil},
		"broken off":              {io.MultiReader(strings.NewReader("{"), ending{broken}), 1, broken},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			b := newBodies(32 << 20)
			r := post("alice", test.body)
			length, free, err := b.read(r)
			if err != nil || length != int64(test.want) {
				t.Fatalf("%d bytes, %v", length, err)
			}
			if b.all < length {
				t.Errorf("%d bytes are counted as %d", length, b.all)
			}
			text, err := io.ReadAll(r.Body)
			if len(text) != test.want || !errors.Is(err, test.err) {
				t.Errorf("%d bytes, %v", len(text), err)
			}
			free()
			free()
			if b.all != 0 || len(b.of) != 0 || !b.long.TryAcquire(b.size/4*3) {
				t.Errorf("not all of it was given back: %d, %v", b.all, b.of)
			}
		})
	}
}

// Who sends long bodies slowly is not in the way of short ones, in however many names, whether he says how long they are or not.
func TestLongBodiesLeaveRoomForShortOnes(t *testing.T) {
	for name, announced := range map[string]int64{"announced": maxBody, "in chunks": -1} {
		t.Run(name, func(t *testing.T) {
			b := newBodies(32 << 20)
			over := make(chan struct{})
			defer close(over)
			slow, refused := make(chan struct{}), make(chan error)
			send := func(caller int) {
				r := post(fmt.Sprint(caller), io.MultiReader(strings.NewReader(strings.Repeat("x", perReading+1)), slowly{slow, over}))
				r.ContentLength = announced
				_, free, err := b.read(r)
				free()
				if err != nil {
					refused <- err
				}
			}
			var full error
			for caller := 0; full == nil; caller++ {
				go send(caller)
				select {
				case <-slow:
				case full = <-refused:
				case <-time.After(20 * time.Second):
					t.Fatal("neither is it read nor refused")
				}
			}
			if !errors.Is(full, errNoRoom) || b.all < b.size/2 {
				t.Errorf("%d bytes of long bodies, and then %v", b.all, full)
			}
			for _, length := range []int{1, perReading} {
				r := post("alice", strings.NewReader(strings.Repeat("x", length)))
				if got, free, err := b.read(r); err != nil || got != int64(length) {
					t.Errorf("a body of %d bytes: %d, %v", length, got, err)
				} else {
					free()
				}
			}
		})
	}
}

// slowly tells that all was read which came before, and then nothing until it is over.
type slowly struct{ at, over chan struct{} }

func (s slowly) Read([]byte) (int, error) {
	s.at <- struct{}{}
	<-s.over
	return 0, io.EOF
}

// Whoever sends slowly keeps nobody waiting but himself.
func TestSlowCallersAreInTheirOwnWay(t *testing.T) {
	const callers, fit = 200, 128 // of 64 KiB in a quarter of 32 MiB
	b := newBodies(32 << 20)
	ended := make(chan error, callers)
	var ends []func() error
	for range callers {
		reading, sending := io.Pipe()
		ends = append(ends, sending.Close)
		go func() {
			_, free, err := b.read(post("mallory", reading))
			free()
			ended <- err
		}()
	}
	wait := func(want error) {
		t.Helper()
		select {
		case err := <-ended:
			if !errors.Is(err, want) {
				t.Fatalf("want %v, got %v", want, err)
			}
		case <-time.After(20 * time.Second):
			t.Fatal("nobody is told anything")
		}
	}
	for range callers - fit {
		wait(overShareError{`user "mallory"`})
	}
	_, free, err := b.read(post("alice", strings.NewReader(strings.Repeat("x", maxBody))))
	if err != nil {
		t.Errorf("somebody else: %v", err)
	}
	free()
	for _, end := range ends {
		_ = end()
	}
	for range fit {
		wait(nil)
	}
}
