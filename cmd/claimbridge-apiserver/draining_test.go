package main

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Connections are kept as long as a Service may still lead here: the next one would.
func TestConnectionsBeginToEndHalfway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stopping := make(chan struct{})
		ending := halfway(stopping, 10*time.Second)
		begun := func() bool {
			synctest.Wait()
			select {
			case <-ending:
				return true
			default:
				return false
			}
		}
		time.Sleep(time.Hour)
		if begun() {
			t.Error("they end while nobody stops the server")
		}
		close(stopping)
		time.Sleep(5*time.Second - time.Nanosecond)
		if begun() {
			t.Error("they end before half of the time is over")
		}
		time.Sleep(time.Nanosecond)
		if !begun() {
			t.Error("they do not end")
		}
	})
}

// A server that stops is left by API servers before it does.
func TestAConnectionEndsOnceTheServerDrains(t *testing.T) {
	for name, http2 := range map[string]bool{"HTTP/1.1": false, "HTTP/2": true} {
		t.Run(name, func(t *testing.T) {
			ending := make(chan struct{})
			server := httptest.NewUnstartedServer(draining(ending, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				_, _ = io.WriteString(w, "answered")
			})))
			var connections atomic.Int32
			server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
				if state == http.StateNew {
					connections.Add(1)
				}
			}
			server.EnableHTTP2 = http2
			server.StartTLS()
			defer server.Close()
			ask := func() int32 {
				t.Helper()
				response, err := server.Client().Get(server.URL)
				if err != nil {
					t.Fatal(err)
				}
				defer response.Body.Close()
				body, err := io.ReadAll(response.Body)
				if err != nil || string(body) != "answered" || (response.ProtoMajor == 2) != http2 {
					t.Fatalf("%q by %s: %v", body, response.Proto, err)
				}
				return connections.Load()
			}
			for range 3 {
				if got := ask(); got != 1 {
					t.Fatalf("%d connections before the server drains, want 1", got)
				}
			}
			close(ending)
			// The word of it may come a moment after the answer, so that the next request or two still go the old way.
			for tries := 0; ask() < 2; tries++ {
				if tries == 100 {
					t.Fatal("a hundred requests went by the connection of before")
				}
			}
		})
	}
}
