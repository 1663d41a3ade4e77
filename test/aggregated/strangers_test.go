//go:build e2e

package aggregated

import (
	"bufio"
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
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"github.com/claimbridge/claimbridge/test/aggregated/beside"
)

// Whoever reaches the port of the server, as every pod can, and has no rights there, or is slow on purpose: what they send takes no more memory
// than the manifests give, and who comes by way of the API server is answered meanwhile.
func TestStrangersAreBounded(t *testing.T) {
	const length = 1500 * time.Millisecond
	for name, attack := range attacks {
		t.Run(name, func(t *testing.T) {
			ctx, stop := context.WithTimeout(t.Context(), length)
			defer stop()
			var all sync.WaitGroup
			for range 4 {
				all.Go(func() { attack(ctx, t) })
			}
			answered := 0
			for ; ctx.Err() == nil; time.Sleep(20 * time.Millisecond) {
				if a, err := ours.send(t.Context(), request{method: http.MethodGet, path: claimsPath}); err != nil || a.status != http.StatusOK {
					t.Errorf("an honest caller: %v, %+v", err, a)
				}
				if err := probe(t.Context()); err != nil {
					t.Errorf("a probe: %v", err)
				}
				answered++
			}
			all.Wait()
			peak, err := ours.server.Peak()
			if err != nil || peak > beside.MemoryLimit {
				t.Errorf("%d MB of memory, %v", peak/1e6, err)
			}
			t.Logf("%d calls answered, %d MB", answered, peak/1e6)
		})
	}
	t.Run("connections of two addresses that ask how the server is", func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		const each = 262 // a little more than half of what there can be
		var dials sync.WaitGroup
		for _, from := range []net.IP{attacker, net.IPv4(127, 0, 0, 3)} {
			for range 2 {
				dials.Go(func() {
					for range each / 2 {
						c, err := dial(ctx, "http/1.1", from)
						if err != nil {
							continue // there is no place for more
						}
						context.AfterFunc(ctx, func() { _ = c.Close() })
						_, _ = io.WriteString(c, "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
					}
				})
			}
		}
		dials.Wait()
		for range 3 {
			if err := probe(ctx); err != nil {
				t.Errorf("a probe: %v", err)
			}
			if a, err := ours.send(ctx, request{method: http.MethodGet, path: claimsPath}); err != nil || a.status != http.StatusOK {
				t.Errorf("an honest caller: %v, %+v", err, a)
			}
		}
	})
	t.Run("a caller with too many watches", func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		refused := tooManyWatches(ctx, t)
		const says = "claimbridge-apiserver has no memory for more watches of the service accounts of namespace default, who may have 256 at a replica; end some, or try again" // as in docs/troubleshooting.md
		if refused.status != http.StatusTooManyRequests || !strings.Contains(string(refused.body), says) {
			t.Errorf("he is told %d: %s", refused.status, refused.body)
		}
		for user, want := range map[string]int{"reader": http.StatusOK, robot: http.StatusTooManyRequests, driver: http.StatusTooManyRequests} {
			response, err := ours.open(ctx, request{method: http.MethodGet, path: watchPath, as: user})
			if err != nil {
				t.Fatal(err)
			}
			_ = response.Body.Close()
			if response.StatusCode != want {
				t.Errorf("%s, who watches as well: %d", user, response.StatusCode)
			}
		}
	})
}

// tooManyWatches of one caller, as many as he gets until ctx is done, and what he is told then.
func tooManyWatches(ctx context.Context, t *testing.T) (refused *answer) {
	t.Helper()
	const all = 1100 // a little more than the manifests have memory for
	var mutex sync.Mutex
	var workers sync.WaitGroup
	opened := 0
	for range 8 {
		workers.Go(func() {
			for range all / 8 {
				response, err := ours.open(ctx, request{method: http.MethodGet, path: watchPath, as: robot})
				if err != nil {
					t.Error(err)
					return
				}
				mutex.Lock()
				if response.StatusCode == http.StatusOK {
					opened++
					context.AfterFunc(ctx, func() { _ = response.Body.Close() })
					mutex.Unlock()
					continue
				}
				body, _ := io.ReadAll(response.Body)
				_ = response.Body.Close()
				refused = &answer{status: response.StatusCode, body: body}
				mutex.Unlock()
				return
			}
		})
	}
	workers.Wait()
	if refused == nil {
		t.Fatalf("%d watches, and nobody minds", opened)
	}
	t.Logf("%d watches", opened)
	return refused
}

// probe as a kubelet does: by a connection of its own, from the address of the node.
func probe(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true} //nolint:gosec // nor does a kubelet mind
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://"+ours.server.Address+"/livez", nil)
	if err != nil {
		return err
	}
	response, err := transport.RoundTrip(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", response.StatusCode)
	}
	return nil
}

const (
	claimsPath = "/apis/resource.k8s.io/v1beta1/namespaces/default/resourceclaims"
	watchPath  = claimsPath + "?watch=true"
)

// attacks until ctx is done.
var attacks = map[string]func(context.Context, *testing.T){
	"connections that say nothing": func(ctx context.Context, _ *testing.T) { hold(ctx, "", attacker) },
	"headers that do not end": func(ctx context.Context, _ *testing.T) { // as long as they may be
		hold(ctx, "GET / HTTP/1.1\r\nHost: localhost\r\nX-Half: "+strings.Repeat("x", 1000<<10), attacker, net.IPv4(127, 0, 0, 3))
	},
	"bodies that do not end": func(ctx context.Context, _ *testing.T) {
		hold(ctx, "POST "+claimsPath+" HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 3000000\r\n\r\n"+strings.Repeat(" ", 200<<10), attacker)
	},
	"streams whose bodies do not end": func(ctx context.Context, _ *testing.T) {
		floods(ctx, func(f *flood) error {
			if err := f.open(false, nil); err != nil {
				return err
			}
			return f.WriteData(f.stream, false, make([]byte, 16<<10))
		})
	},
	"streams that are reset at once": func(ctx context.Context, _ *testing.T) {
		floods(ctx, func(f *flood) error {
			if err := f.open(true, nil); err != nil {
				return err
			}
			return f.WriteRSTStream(f.stream, http2.ErrCodeCancel)
		})
	},
	"headers that grow when they are read": func(ctx context.Context, _ *testing.T) {
		big := hpack.HeaderField{Name: "x-big", Value: strings.Repeat("x", 3000)} // which a table has room for
		var many []hpack.HeaderField
		for range 250 {
			many = append(many, big)
		}
		floods(ctx, func(f *flood) error { return f.open(true, many) })
	},
	"headers that go on and on": func(ctx context.Context, _ *testing.T) {
		floods(ctx, func(f *flood) error {
			f.stream += 2
			if err := f.WriteHeaders(http2.HeadersFrameParam{StreamID: f.stream, BlockFragment: f.block(nil)}); err != nil {
				return err
			}
			for {
				if err := f.WriteContinuation(f.stream, false, f.only(hpack.HeaderField{Name: "x-more", Value: "x", Sensitive: true})); err != nil {
					return err
				}
			}
		})
	},
	"pings": func(ctx context.Context, _ *testing.T) {
		floods(ctx, func(f *flood) error { return f.WritePing(false, [8]byte{}) })
	},
	"credentials that nobody has given": func(ctx context.Context, _ *testing.T) {
		n := 0
		floods(ctx, func(f *flood) error {
			n++
			return f.open(true, []hpack.HeaderField{{Name: "authorization", Value: fmt.Sprintf("Bearer %d-%s", n, strings.Repeat("x", 1000)), Sensitive: true}})
		})
	},
	"a user who sends slowly": func(ctx context.Context, t *testing.T) {
		var all sync.WaitGroup
		for range 5 { // of 3 MiB each, of which four were once all that there was room for
			all.Go(func() {
				for ctx.Err() == nil {
					slowly(ctx, t)
				}
			})
		}
		all.Wait()
	},
}

// slowly sends a long body by way of the API server, a byte now and then.
func slowly(ctx context.Context, t *testing.T) {
	reading, sending := io.Pipe()
	defer context.AfterFunc(ctx, func() { _ = sending.CloseWithError(ctx.Err()) })()
	go func() {
		for ctx.Err() == nil {
			if _, err := sending.Write([]byte(" ")); err != nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
	}()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, ours.Config.Host+claimsPath, reading)
	if err != nil {
		t.Error(err)
		return
	}
	r.ContentLength = 3 << 20
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+ours.tokens["many"])
	transport, err := ours.transport()
	if err != nil {
		t.Error(err)
		return
	}
	if response, err := transport.RoundTrip(r); err == nil {
		_ = response.Body.Close()
	}
}

// attacker is an address that is not the API server's.
var attacker = net.IPv4(127, 0, 0, 2)

func dial(ctx context.Context, protocol string, from net.IP) (net.Conn, error) {
	dialer := tls.Dialer{
		NetDialer: &net.Dialer{LocalAddr: &net.TCPAddr{IP: from}, Timeout: time.Second},
		Config:    &tls.Config{InsecureSkipVerify: true, NextProtos: []string{protocol}}, //nolint:gosec // an attacker does not mind
	}
	return dialer.DialContext(ctx, "tcp", ours.server.Address)
}

// hold more connections than there can be, of each of these addresses in turn, each of which says something and then nothing.
func hold(ctx context.Context, say string, from ...net.IP) {
	const each = 262 // of four at once
	for i := 0; i < each && ctx.Err() == nil; {
		c, err := dial(ctx, "http/1.1", from[i%len(from)])
		if err != nil {
			time.Sleep(time.Millisecond)
			continue
		}
		defer c.Close()
		_, _ = io.WriteString(c, say)
		i++
	}
	<-ctx.Done()
}

// floods of frames over one connection after the other, until ctx is done.
func floods(ctx context.Context, send func(*flood) error) {
	for ctx.Err() == nil {
		c, err := dial(ctx, "h2", attacker)
		if err != nil {
			time.Sleep(time.Millisecond)
			continue
		}
		stop := context.AfterFunc(ctx, func() { _ = c.Close() })
		f := newFlood(c)
		for err == nil && ctx.Err() == nil {
			err = send(f)
		}
		stop()
		_ = c.Close()
	}
}

// flood is a connection of HTTP/2 whose answers nobody looks at.
type flood struct {
	*http2.Framer
	stream  uint32
	encoder *hpack.Encoder
	encoded bytes.Buffer
}

func newFlood(c net.Conn) *flood {
	w := bufio.NewWriterSize(c, 1<<10)
	f := &flood{Framer: http2.NewFramer(w, c), stream: ^uint32(0)}
	f.encoder = hpack.NewEncoder(&f.encoded)
	_, _ = io.WriteString(c, http2.ClientPreface)
	_ = f.WriteSettings()
	_ = w.Flush()
	go func() { _, _ = io.Copy(io.Discard, c) }()
	return f
}

// block of a header for a new claim, with more.
func (f *flood) block(more []hpack.HeaderField) []byte {
	return f.only(append([]hpack.HeaderField{
		{Name: ":method", Value: http.MethodPost}, {Name: ":scheme", Value: "https"}, {Name: ":authority", Value: "localhost"}, {Name: ":path", Value: claimsPath},
		{Name: "content-type", Value: "application/json"},
	}, more...)...)
}

func (f *flood) only(fields ...hpack.HeaderField) []byte {
	f.encoded.Reset()
	for _, field := range fields {
		_ = f.encoder.WriteField(field) // into memory
	}
	return f.encoded.Bytes()
}

// open a stream.
func (f *flood) open(end bool, more []hpack.HeaderField) error {
	f.stream += 2
	return f.WriteHeaders(http2.HeadersFrameParam{StreamID: f.stream, BlockFragment: f.block(more), EndHeaders: true, EndStream: end})
}
