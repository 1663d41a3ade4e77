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

// hostileRequests are requests that a client in a pod sends to its proxy.
var hostileRequests = map[string]struct {
	concurrency               int
	method, path, contentType string
	body                      func() io.Reader
	length                    int64
	wantStatus                int
	// mayBeClosed allows that the proxy closes the connection without a response, as it may if a client sends much more
	// than the limit.
	mayBeClosed bool
	// isEndless is for requests without a response, or that wait for others too long. They end when their client ends.
	isEndless bool
}{
	"bodies of 100 MB": {
		concurrency: 8, method: http.MethodPost, contentType: "application/json", body: spaces(100 << 20), length: 100 << 20,
		wantStatus: http.StatusRequestEntityTooLarge, mayBeClosed: true,
	},
	"bodies above the limit": {
		concurrency: 8, method: http.MethodPost, contentType: "application/json", body: spaces(3<<20 + 1), length: 3<<20 + 1,
		wantStatus: http.StatusRequestEntityTooLarge,
	},
	"bodies without a Content-Length": {
		concurrency: 8, method: http.MethodPost, contentType: "application/json", body: spaces(3<<20 + 1), length: -1,
		wantStatus: http.StatusRequestEntityTooLarge,
	},
	"nested lists": {
		concurrency: 8, method: http.MethodPost, contentType: "application/json", body: repeated("[", 2<<20), length: 2 << 20,
		wantStatus: http.StatusBadRequest,
	},
	"nested objects": {
		concurrency: 8, method: http.MethodPost, contentType: "application/json", body: repeated(`{"a":`, 2<<20/5),
		length: 2 << 20 / 5 * 5, wantStatus: http.StatusBadRequest,
	},
	"YAML bodies": {
		concurrency: 8, method: http.MethodPost, contentType: "application/yaml", body: repeated("-\n", 1_400_000),
		length: 2_800_000, wantStatus: http.StatusUnsupportedMediaType, mayBeClosed: true,
	},
	"nested patches": {
		concurrency: 8, method: http.MethodPatch, path: "/big-0", contentType: mergePatch,
		body: repeated(`{"spec":`, 2<<20/8), length: 2 << 20 / 8 * 8, wantStatus: http.StatusBadRequest,
	},
	"JSON patches with exponential copies": {
		concurrency: 8, method: http.MethodPatch, path: "/big-0", contentType: jsonPatch, body: copyPatch(40), length: -1,
		wantStatus: http.StatusUnprocessableEntity,
	},
	"lists of empty objects": {
		concurrency: 16, method: http.MethodPost, contentType: "application/json",
		body:   repeated(`{"spec":{"devices":{"requests":[`+strings.Repeat("{},", 1<<20-64)+`{}]}}}`, 1),
		length: -1, wantStatus: http.StatusRequestEntityTooLarge,
	},
	"characters that JSON escapes": {
		concurrency: 16, method: http.MethodPost, contentType: "application/json",
		body: repeated(`{"a":"`+strings.Repeat("<", 2<<20)+`"}`, 1), length: -1,
		wantStatus: http.StatusRequestEntityTooLarge,
	},
	"control characters in protobuf": {
		concurrency: 16, method: http.MethodPost, contentType: "application/vnd.kubernetes.protobuf",
		body: repeated("\x01", 3<<20), length: 3 << 20, wantStatus: http.StatusRequestEntityTooLarge,
	},
	"long paths": {
		concurrency: 40, method: http.MethodGet, path: strings.Repeat("/", 1000<<10),
		wantStatus: http.StatusRequestHeaderFieldsTooLarge, mayBeClosed: true,
	},
	"bodies that do not end": {
		concurrency: 100, method: http.MethodPost, contentType: "application/json", body: unfinishedBody, length: 3 << 20,
		wantStatus: http.StatusTooManyRequests, isEndless: true,
	},
	"unread lists": {
		concurrency: 32, method: http.MethodGet, path: "?resourceVersion=0", wantStatus: http.StatusOK,
	},
	"unread watches": {
		concurrency: 32, method: http.MethodGet, path: "?watch=true&resourceVersion=0", wantStatus: http.StatusOK,
	},
	"protobuf messages": {
		concurrency: 8, method: http.MethodPost, contentType: "application/vnd.kubernetes.protobuf",
		body: repeated("\x12\x00", 1_400_000), length: 2_800_000, wantStatus: http.StatusRequestEntityTooLarge,
	},
}

func repeated(text string, n int) func() io.Reader {
	return func() io.Reader { return strings.NewReader(strings.Repeat(text, n)) }
}

// copyPatch returns a JSON patch that copies a spec into itself n times. Each copy doubles its size.
func copyPatch(n int) func() io.Reader {
	var operations []string
	for i := range n {
		operations = append(operations, fmt.Sprintf(`{"op":"copy","from":"/spec","path":"/spec/x%d"}`, i))
	}
	return repeated("["+strings.Join(operations, ",")+"]", 1)
}

func spaces(n int64) func() io.Reader {
	return func() io.Reader { return io.LimitReader(spacesReader{}, n) }
}

type spacesReader struct{}

func (spacesReader) Read(p []byte) (int, error) {
	return copy(p, bytes.Repeat([]byte(" "), len(p))), nil
}

// unfinishedBody returns a body whose last byte is not sent. Reading it blocks until it is closed.
func unfinishedBody() io.Reader {
	end, _ := io.Pipe()
	return struct {
		io.Reader
		io.Closer
	}{io.MultiReader(spaces(3<<20-1)(), end), end}
}

const (
	// idleMemory is the memory of a proxy without requests, in bytes.
	idleMemory = 96 << 20
	// maxMemoryPerResponse is in bytes. An unread response has a buffer of 4 MiB, which is the window of an HTTP/2 stream.
	maxMemoryPerResponse = 16 << 20
	// maxMemoryForBodies is the memory limit of the sidecar in docs/bridge.md, in bytes. The memory does not depend on the
	// number of requests, because the proxy reads only some bodies at the same time.
	maxMemoryForBodies = 256 << 20
)

// TestHostileRequests checks that hostile requests use a limited amount of the memory of a proxy, and that the proxy
// still responds to other requests.
func TestHostileRequests(t *testing.T) {
	c := clusterServing(t, "v1beta1")
	namespace, directClient := c.newNamespace(t)
	for i := range 60 {
		claim := createClaim(t, directClient, "v1beta1", namespace, fmt.Sprintf("big-%d", i))
		claim.SetAnnotations(map[string]string{"big": strings.Repeat("x", 200<<10)})
		must.Get(claimClient(directClient, "v1beta1", namespace).Update(t.Context(), claim, metav1.UpdateOptions{}))(t)
	}
	for name, h := range hostileRequests {
		t.Run(name, func(t *testing.T) {
			p := c.startProxy(t, "writer", plane.Port(t))
			proxyClient := dynamicClient(t, &rest.Config{Host: p.url(), QPS: -1, WarningHandler: rest.NoWarnings{}})
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			var clients sync.WaitGroup
			statuses := make(chan int, h.concurrency)
			for range h.concurrency {
				clients.Go(func() {
					var body io.Reader
					if h.body != nil {
						body = h.body()
					}
					if closer, isCloser := body.(io.Closer); isCloser {
						// RoundTrip waits for the body.
						stopClosing := context.AfterFunc(ctx, func() { _ = closer.Close() })
						defer stopClosing()
					}
					r, err := http.NewRequestWithContext(ctx, h.method,
						p.url()+"/apis/resource.k8s.io/v1/namespaces/"+namespace+"/resourceclaims"+h.path, body)
					if err != nil {
						t.Error(err)
						return
					}
					r.ContentLength = h.length
					r.Header.Set("Content-Type", h.contentType)
					resp, err := (&http.Transport{DialContext: dialWithSmallBuffer}).RoundTrip(r)
					if err != nil {
						statuses <- 0
						return
					}
					defer resp.Body.Close()
					statuses <- resp.StatusCode
					<-ctx.Done() // the response remains unread
				})
			}
			for range 20 {
				if _, err := claimClient(directClient, "v1beta1", namespace).Get(t.Context(), "big-0",
					metav1.GetOptions{}); err != nil {
					t.Errorf("a client without the proxy: %v", err)
				}
				_, err := claimClient(proxyClient, "v1", namespace).Get(t.Context(), "big-0", metav1.GetOptions{})
				if err != nil {
					t.Errorf("a client of the same proxy: %v", err)
				}
			}
			if h.isEndless {
				stop()
			}
			for range h.concurrency {
				status := <-statuses
				isClosed := status == 0 && (h.mayBeClosed || h.isEndless)
				if status != h.wantStatus && !isClosed {
					t.Errorf("got status %d, want %d", status, h.wantStatus)
				}
			}
			peak, err := p.Memory("VmHWM")
			limit := int64(maxMemoryForBodies)
			if h.body == nil {
				limit = int64(idleMemory + h.concurrency*maxMemoryPerResponse)
			}
			if err != nil || peak > limit {
				t.Errorf("peak memory: got %d MiB and error %v, want at most %d MiB", peak>>20, err, limit>>20)
			}
			t.Logf("peak memory with %d concurrent requests: %d MiB", h.concurrency, peak>>20)
			stop()
			clients.Wait()
		})
	}
}

// TestManyConnections checks that connections to a sidecar without a request, or with an incomplete request, use at
// most 64 KiB each, and that the sidecar still responds to other requests.
func TestManyConnections(t *testing.T) {
	const connections = 2000
	c := clusterServing(t, "v1beta1")
	namespace, directClient := c.newNamespace(t)
	createClaim(t, directClient, "v1beta1", namespace, "a")
	s := c.startSidecar(t, "writer", namespace)
	sidecarClient := claimClient(dynamicClient(t, s.config()), "v1", namespace)
	tlsConfig := must.Get(rest.TLSConfigFor(s.config()))(t)
	tlsConfig.NextProtos = []string{"http/1.1"}
	for i := range connections {
		connection, err := tls.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", s.port), tlsConfig)
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
	if _, err := sidecarClient.Get(t.Context(), "a", metav1.GetOptions{}); err != nil {
		t.Errorf("a client of the same sidecar: %v", err)
	}
	const limit = idleMemory + connections*64<<10
	peak, err := s.Memory("VmHWM")
	if err != nil || peak > limit {
		t.Errorf("peak memory: got %d MiB and error %v, want at most %d MiB", peak>>20, err, limit>>20)
	}
	t.Logf("peak memory with %d connections: %d MiB", connections, peak>>20)
}

// dialWithSmallBuffer returns a connection whose kernel buffer for unread data is small.
func dialWithSmallBuffer(ctx context.Context, network, address string) (net.Conn, error) {
	connection, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return connection, connection.(*net.TCPConn).SetReadBuffer(8 << 10)
}
