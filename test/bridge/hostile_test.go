//go:build e2e

package bridge

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// hostile requests of a pod to its proxy: how often at once, what of it is sent, and the statuses that are an answer.
var hostile = map[string]struct {
	at                        int
	method, path, contentType string
	body                      func() io.Reader
	length                    int64
	want                      []int
}{
	// Whoever sends much more than is read may find the connection closed before it has read the answer.
	"bodies of 100 MB": {
		8,
		http.MethodPost,
		"",
		"application/json",
		spaces(100 << 20),
		100 << 20,
		[]int{http.StatusRequestEntityTooLarge, 0},
	},
	"bodies that are a little too great": {
		8, http.MethodPost, "", "application/json", spaces(3<<20 + 1), 3<<20 + 1,
		[]int{http.StatusRequestEntityTooLarge},
	},
	"lists in lists": {
		8, http.MethodPost, "", "application/json", repeated("[", 2<<20), 2 << 20,
		[]int{http.StatusBadRequest},
	},
	"objects in objects": {
		8, http.MethodPost, "", "application/json", repeated(`{"a":`, 2<<20/5), 2 << 20 / 5 * 5,
		[]int{http.StatusBadRequest},
	},
	"bodies of YAML": {
		8, http.MethodPost, "", "application/yaml", repeated("-\n", 1_400_000), 2_800_000,
		[]int{http.StatusUnsupportedMediaType, 0},
	},
	"patches in patches": {
		8, http.MethodPatch, "/big-0", string(mergePatch), repeated(`{"spec":`, 2<<20/8), 2 << 20 / 8 * 8,
		[]int{http.StatusBadRequest},
	},
	"patches that copy their copies": {
		8, http.MethodPatch, "/big-0", string(jsonPatch), copies(40), -1,
		[]int{http.StatusUnprocessableEntity},
	},
	"lists of nothing": {
		16,
		http.MethodPost,
		"",
		"application/json",
		repeated(`{"spec":{"devices":{"requests":[`+strings.Repeat("{},", 1<<20-64)+`{}]}}}`, 1),
		-1,
		[]int{http.StatusRequestEntityTooLarge},
	},
	"bodies that do not end":  {32, http.MethodPost, "", "application/json", never, 1 << 20, []int{0}},
	"lists that nobody reads": {32, http.MethodGet, "?resourceVersion=0", "", nil, 0, []int{http.StatusOK}},
	"watches that nobody reads": {
		32, http.MethodGet, "?watch=true&resourceVersion=0", "", nil, 0, []int{http.StatusOK},
	},
	"messages of protobuf": {
		8, http.MethodPost, "", "application/vnd.kubernetes.protobuf",
		repeated("\x12\x00", 1_400_000), 2_800_000,
		[]int{http.StatusRequestEntityTooLarge},
	},
}

func repeated(text string, n int) func() io.Reader {
	return func() io.Reader { return strings.NewReader(strings.Repeat(text, n)) }
}

// copies of a spec into itself, each twice as great as the one before.
func copies(n int) func() io.Reader {
	var patch []string
	for i := range n {
		patch = append(patch, fmt.Sprintf(`{"op":"copy","from":"/spec","path":"/spec/x%d"}`, i))
	}
	return repeated("["+strings.Join(patch, ",")+"]", 1)
}

func spaces(n int64) func() io.Reader {
	return func() io.Reader { return io.LimitReader(blank{}, n) }
}

type blank struct{}

func (blank) Read(p []byte) (int, error) { return copy(p, bytes.Repeat([]byte(" "), len(p))), nil }

// never is a body that is not sent, until its request is given up.
func never() io.Reader {
	in, _ := io.Pipe()
	return in
}

const (
	// aRequest is the memory that one takes at most: what is buffered of an answer that nobody
	// reads is 4 MiB, the window of a stream of HTTP/2, and a body of 3 MiB is read, decoded and
	// refused.
	aRequest = 16 << 20
	// aProxy is what it has without any.
	aProxy = 96 << 20
)

// What a pod sends and does not read takes memory of its own sidecar, and not more than for so many
// requests; whoever asks meanwhile is answered, by the sidecar as well.
func TestAHostilePod(t *testing.T) {
	c := over(t, "v1beta1")
	namespace, direct := c.space(t)
	for i := range 60 {
		claim := createClaim(t, direct, "v1beta1", namespace, fmt.Sprintf("big-%d", i))
		claim.SetAnnotations(map[string]string{"big": strings.Repeat("x", 200<<10)})
		must.Get(resource(direct, "v1beta1", namespace).Update(t.Context(), claim, metav1.UpdateOptions{}))(t)
	}
	for name, h := range hostile {
		t.Run(name, func(t *testing.T) {
			p := c.proxy(t, "writer", plane.Port(t))
			through := dynamicOf(t, &rest.Config{Host: p.url(), QPS: -1, WarningHandler: rest.NoWarnings{}})
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			var all sync.WaitGroup
			answers := make(chan int, h.at)
			for range h.at {
				all.Go(func() {
					var body io.Reader
					if h.body != nil {
						body = h.body()
					}
					if endless, is := body.(io.Closer); is { // which its sender waits for
						defer context.AfterFunc(ctx, func() { _ = endless.Close() })()
					}
					r, err := http.NewRequestWithContext(ctx, h.method,
						p.url()+"/apis/resource.k8s.io/v1/namespaces/"+namespace+"/resourceclaims"+h.path, body)
					if err != nil {
						t.Error(err)
						return
					}
					r.ContentLength = h.length
					r.Header.Set("Content-Type", h.contentType)
					response, err := (&http.Transport{DialContext: dialSmall}).RoundTrip(r)
					if err != nil {
						answers <- 0
						return
					}
					defer response.Body.Close()
					answers <- response.StatusCode
					<-ctx.Done() // unread
				})
			}
			for range 20 {
				if _, err := resource(direct, "v1beta1", namespace).Get(t.Context(), "big-0",
					metav1.GetOptions{}); err != nil {
					t.Errorf("a client without the proxy: %v", err)
				}
				_, err := resource(through, "v1", namespace).Get(t.Context(), "big-0", metav1.GetOptions{})
				if err != nil {
					t.Errorf("a client of the same proxy: %v", err)
				}
			}
			if h.want[0] == 0 {
				stop()
			}
			for range h.at {
				if got := <-answers; got != h.want[0] && got != h.want[len(h.want)-1] {
					t.Errorf("%d, not %d", got, h.want[0])
				}
			}
			peak, err := p.Memory("VmHWM")
			if most := int64(aProxy + h.at*aRequest); err != nil || peak > most {
				t.Errorf("%v: %d MiB, more than %d", err, peak>>20, most>>20)
			}
			t.Logf("%d at once: %d MiB", h.at, peak>>20)
			stop()
			all.Wait()
		})
	}
}

// Connections that say nothing, and those that begin a request and do not end it, take some KiB of
// the pod's own sidecar, which answers meanwhile.
func TestThousandsOfConnections(t *testing.T) {
	const many = 2000
	c := over(t, "v1beta1")
	namespace, direct := c.space(t)
	createClaim(t, direct, "v1beta1", namespace, "a")
	s := c.sidecar(t, "writer", namespace)
	through := resource(dynamicOf(t, s.config()), "v1", namespace)
	authority := must.Get(rest.TLSConfigFor(s.config()))(t)
	authority.NextProtos = []string{"http/1.1"}
	for i := range many {
		connection, err := tls.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", s.port), authority)
		if err != nil {
			t.Fatalf("connection %d: %v", i, err)
		}
		defer connection.Close()
		if i%2 == 0 {
			continue
		}
		if _, err := io.WriteString(connection, "GET / HTTP/1.1\r\nHost: localhost\r\nX: "); err != nil {
			t.Fatalf("connection %d: %v", i, err)
		}
	}
	if _, err := through.Get(t.Context(), "a", metav1.GetOptions{}); err != nil {
		t.Errorf("a client of the same sidecar: %v", err)
	}
	const most = aProxy + many*64<<10
	peak, err := s.Memory("VmHWM")
	if err != nil || peak > most {
		t.Errorf("%v: %d MiB, more than %d", err, peak>>20, most>>20)
	}
	t.Logf("%d connections: %d MiB", many, peak>>20)
}

// dialSmall is a connection for which the kernel keeps little of what nobody reads.
func dialSmall(ctx context.Context, network, address string) (net.Conn, error) {
	connection, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return connection, connection.(*net.TCPConn).SetReadBuffer(8 << 10)
}
