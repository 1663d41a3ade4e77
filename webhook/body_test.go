package webhook

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/reviews"
)

// raw connection over TLS, on which some bytes were sent.
func raw(t *testing.T, r *running, say string) *tls.Conn {
	t.Helper()
	connection, err := tls.Dial("tcp", r.Addr().String(), &tls.Config{RootCAs: r.pool, MinVersion: tls.VersionTLS12})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	if _, err := io.WriteString(connection, say); err != nil {
		t.Fatal(err)
	}
	return connection
}

// rawAll are connections that say all at once what they say: what is said has its time from its first byte on.
func rawAll(t *testing.T, r *running, say []string) error {
	t.Helper()
	connections := make([]*tls.Conn, len(say))
	for i := range say {
		connections[i] = raw(t, r, "")
	}
	for i, text := range say {
		if _, err := io.WriteString(connections[i], text); err != nil {
			return err
		}
	}
	return nil
}

func announcing(bytes int) string {
	return fmt.Sprintf("POST /convert HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n", bytes)
}

// TestABodyIsPaidForAsItArrives: what is only announced takes nothing away from anybody.
func TestABodyIsPaidForAsItArrives(t *testing.T) {
	tests := map[string]struct{ connections, announced, sent int }{ // few enough to be there within the 5 s that the first of them has
		"one that announces all there is, and sends nothing": {1, 8 << 20, 0},
		"many that announce a little, and send nothing":      {70, 16 << 10, 0},
		"many that send nearly all of the little":            {70, 16 << 10, 15 << 10},
		"some that announce much, and send a little":         {50, 8 << 20, 15 << 10},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := run(t, Options{MaxInFlightBytes: 8 << 20, MetricsBindAddress: "0"}) // 1 MiB is for small ones: 64 of them
			if err := rawAll(t, r, slices.Repeat([]string{announcing(test.announced) + strings.Repeat(" ", test.sent)}, test.connections)); err != nil {
				t.Fatal(err)
			}
			waitFor(t, func() bool {
				return gather(t, r.Server)["claimbridge_http_requests_in_flight{endpoint=convert}"] == float64(test.connections)
			})
			if held := gather(t, r.Server)["claimbridge_http_request_bytes_in_flight{}"]; held != 0 {
				t.Errorf("%v bytes are held", held)
			}
			body := reviews.Conversion("resource.k8s.io/v1alpha3", reviews.ClaimV1alpha2)
			for _, size := range []int{len(body), 100 << 10, 5 << 20} {
				response, err := send(r.client(t, false), r.url+"/convert", newBody(body+strings.Repeat(" ", size-len(body))))
				if err != nil || response.Code != http.StatusOK {
					t.Errorf("a call of %d bytes is not served: %v %v", size, response, err)
				}
			}
		})
	}
}

// TestBigBodiesLeaveRoomForSmallOnes: even when they have sent all that they could. On a busy machine they may be cut off, for being slow,
// before a big call has waited for its turn.
func TestBigBodiesLeaveRoomForSmallOnes(t *testing.T) {
	var tries []string
	for range 10 {
		try := besideBigBodies(t)
		if try == "" {
			return
		}
		tries = append(tries, try)
	}
	t.Errorf("no big call was told to come again:\n%s", strings.Join(tries, "\n"))
}

// besideBigBodies are a small call, and a big one, for which nothing is left as long as none of the bodies is cut off. It gives what was too slow.
func besideBigBodies(t *testing.T) (slow string) {
	t.Helper()
	r := run(t, Options{MaxInFlightBytes: 8 << 20, MetricsBindAddress: "0"})
	var say []string
	for _, size := range []int{8 << 20, 2 << 20, 256 << 10, 256 << 10, 256 << 10, 256 << 10} {
		say = append(say, announcing(size)+strings.Repeat(" ", size-1))
	}
	begun, most := time.Now(), 0.0
	if err := rawAll(t, r, say); err != nil {
		return "the bodies are not sent: " + err.Error()
	}
	waitFor(t, func() bool {
		most = max(most, gather(t, r.Server)["claimbridge_http_request_bytes_in_flight{}"])
		return most >= 11<<20 || time.Since(begun) > 2*time.Second
	})
	body := reviews.Conversion("resource.k8s.io/v1alpha3", reviews.ClaimV1alpha2)
	if response, err := send(r.client(t, false), r.url+"/convert", newBody(body)); err != nil || response.Code != http.StatusOK {
		t.Errorf("a small call is not served: %v %v", response, err)
	}
	response, err := send(r.client(t, false), r.url+"/convert", newBody(body+strings.Repeat(" ", 1<<20)))
	if err == nil && response.Code == http.StatusTooManyRequests {
		return ""
	}
	took := time.Since(begun)
	if took < 2*time.Second {
		t.Errorf("a big call is not told to come again: %v %v", response, err)
	}
	return fmt.Sprintf("after %s %v %v, and %.0f bytes were held", took, response, err, most)
}

// TestASlowSenderIsCutOff: by the time that its bytes may take, before the 30 s of a call.
func TestASlowSenderIsCutOff(t *testing.T) {
	t.Parallel()
	r := run(t, Options{MetricsBindAddress: "0"})
	for name, sent := range map[string]int{"before the first byte": 0, "before the first 16 KiB": 1, "after them": 20 << 10} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			connection := raw(t, r, announcing(100<<10)+strings.Repeat(" ", sent))
			_ = connection.SetReadDeadline(time.Now().Add(25 * time.Second)) // more than 5 s, on a busy machine, and less than 30
			answer, err := io.ReadAll(connection)
			if err != nil || !strings.Contains(string(answer), "408 Request Timeout") {
				t.Errorf("%v: %s", err, answer)
			}
		})
	}
}

// TestWhoDoesNotReadIsCutOff: an answer that nobody takes is not kept for as long as a call may last.
func TestWhoDoesNotReadIsCutOff(t *testing.T) {
	t.Parallel()
	r := run(t, Options{MetricsBindAddress: "0"})
	// An answer is bigger than what the buffers of a connection hold, and a review is answered up to 100,000 objects.
	claim := strings.Replace(reviews.ClaimV1alpha2, `"name":"a"`, `"name":"a","annotations":{"a":"`+strings.Repeat("a", 1024)+`"}`, 1)
	body := reviews.Conversion("resource.k8s.io/v1alpha3", manyTimes(claim, 12<<20)...)
	connection := raw(t, r, announcing(len(body)))
	_ = connection.NetConn().(*net.TCPConn).SetReadBuffer(4096)
	if _, err := io.WriteString(connection, body); err != nil {
		t.Fatal(err)
	}
	held := func() float64 { return gather(t, r.Server)["claimbridge_http_request_bytes_in_flight{}"] }
	waitFor(t, func() bool { return held() > 12<<20 })
	waitFor(t, func() bool { return held() == 0 })                 // which is less patient than a call may last
	_ = connection.NetConn().(*net.TCPConn).SetReadBuffer(4 << 20) // what the kernel holds is taken now
	_ = connection.SetReadDeadline(time.Now().Add(20 * time.Second))
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("answered with %v: %v", response, err)
	}
	defer func() { _ = response.Body.Close() }()
	taken, err := io.Copy(io.Discard, response.Body)
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("want an answer that ends before its end, got %d bytes and %v", taken, err)
	}
}

// A body in process can end early; over HTTP the connection tells.
func TestABodyThatEndsEarlyIsNoReview(t *testing.T) {
	s := newServer(t, Options{})
	request := reviews.Post("/convert", reviews.Conversion("resource.k8s.io/v1alpha3", reviews.ClaimV1alpha2))
	request.ContentLength++
	if response := serve(s, request); response.Code != http.StatusBadRequest || !strings.Contains(response.Body, "announced end") {
		t.Errorf("%d %s", response.Code, response.Body)
	}
}

// manyTimes repeats an object until there are so many bytes of it.
func manyTimes(object string, bytes int) []string {
	objects := make([]string, bytes/len(object))
	for i := range objects {
		objects[i] = object
	}
	return objects
}
