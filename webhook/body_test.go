package webhook

import (
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/reviews"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// raw connection over TLS, on which some bytes were sent.
func raw(t *testing.T, r *running, say string) *tls.Conn {
	t.Helper()
	connection := must.Get(tls.Dial("tcp", r.Addr().String(),
		&tls.Config{RootCAs: r.pool, MinVersion: tls.VersionTLS12}))(t)
	t.Cleanup(func() { _ = connection.Close() })
	must.Get(io.WriteString(connection, say))(t)
	return connection
}

func announcing(bytes int) string {
	return fmt.Sprintf("POST /convert HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n", bytes)
}

// An announced body does not reserve memory before it arrives.
func TestBodiesReserveMemoryAsTheyArrive(t *testing.T) {
	tests := map[string]struct{ connections, announced, sent int }{
		"one that announces all there is, and sends nothing": {1, 8 << 20, 0},
		"many that announce much, and send a little":         {50, 8 << 20, 15 << 10},
	}
	for name, test := range tests {
		r := run(t, Options{MaxInFlightBytes: 64 << 20, MetricsBindAddress: "0"})
		for range test.connections {
			raw(t, r, announcing(test.announced)+strings.Repeat(" ", test.sent))
		}
		body := reviews.Conversion("resource.k8s.io/v1alpha3", reviews.ClaimV1alpha2)
		for _, size := range []int{len(body), 100 << 10} {
			response, err := send(r.client(t, false), r.url+"/convert",
				strings.NewReader(body+strings.Repeat(" ", size-len(body))))
			if err != nil || response.Code != http.StatusOK {
				t.Errorf("%s: a call of %d bytes is not served: %v %v", name, size, response, err)
			}
		}
	}
}

// TestSlowBodiesTimeOut checks that the timeout is shorter than the 30 s of a call.
func TestSlowBodiesTimeOut(t *testing.T) {
	t.Parallel()
	r := run(t, Options{MetricsBindAddress: "0"})
	for name, sent := range map[string]int{
		"before the first byte": 0, "before the first 16 KiB": 1, "after them": 20 << 10,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			connection := raw(t, r, announcing(100<<10)+strings.Repeat(" ", sent))
			// more than 10 s, on a busy machine, and less than 30
			_ = connection.SetReadDeadline(time.Now().Add(25 * time.Second))
			answer, err := io.ReadAll(connection)
			if err != nil || !strings.Contains(string(answer), "408 Request Timeout") {
				t.Errorf("%v: %s", err, answer)
			}
		})
	}
}

// A review that needs more memory than the limit is converted alone.
func TestLargeReviewIsConverted(t *testing.T) {
	const size = 12 << 20
	claim := strings.Replace(reviews.ClaimV1alpha2, `"name":"a"`,
		`"name":"a","annotations":{"a":"`+strings.Repeat("a", 1024)+`"}`, 1)
	broken := strings.Replace(claim, `"gpu.example.com"`, `7`, 1)
	tests := map[string]struct {
		body string
		code int
		want string
	}{
		"one that succeeds": {
			reviews.Conversion("resource.k8s.io/v1alpha3", manyTimes(claim, size)...),
			http.StatusOK, `"status":"Success"`,
		},
		"one whose last object is broken": {
			reviews.Conversion("resource.k8s.io/v1alpha3", append(manyTimes(claim, size), broken)...),
			http.StatusOK, `"message":"1 of `,
		},
		"one that stops being JSON": {
			strings.TrimSuffix(reviews.Conversion("resource.k8s.io/v1alpha3", manyTimes(claim, size)...), "}}") + "]",
			http.StatusBadRequest, `the body is not a review: `,
		},
		"text after the review": {
			reviews.Conversion("resource.k8s.io/v1alpha3", manyTimes(claim, size)...) + "{}",
			http.StatusBadRequest, `the body is not a review: `,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := run(t, Options{MaxInFlightBytes: 4 << 20, MetricsBindAddress: "0"})
			raw(t, r, announcing(100)+" ") // holds memory meanwhile, so that not all is free
			for _, http2 := range []bool{false, true} {
				request := must.Get(http.NewRequest(http.MethodPost, r.url+"/convert", strings.NewReader(test.body)))(t)
				response := must.Get(do(r.client(t, http2), request))(t)
				if response.Code != test.code || !strings.Contains(response.Body, test.want) {
					t.Fatalf("%d: %d bytes, the last are %s", response.Code, len(response.Body),
						response.Body[max(0, len(response.Body)-500):])
				}
				if test.code != http.StatusOK {
					continue
				}
				if review := reviews.DecodeConversion(t, response); review.Response.UID != "the-uid" {
					t.Errorf("uid %q", review.Response.UID)
				}
			}
		})
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
