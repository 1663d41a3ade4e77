//go:build linux

package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// BenchmarkCall converts one claim per call, as API servers request it: half of them for writes, half for reads. The
// stock webhook has only types of v1alpha2 and v1alpha3.
func BenchmarkCall(b *testing.B) {
	for versions, pair := range map[string][2]string{
		"v1alpha2-v1alpha3": {"v1alpha2", "v1alpha3"},
		"v1beta1-v1":        {"v1beta1", "v1"},
	} {
		for _, kib := range []int{2, 16} {
			var bodies [][]byte
			later := claimsOf(b, pair[1], 8, kib<<10)
			for i, earlier := range claimsOf(b, pair[0], 8, kib<<10) {
				bodies = append(bodies, review(pair[1], earlier), review(pair[0], later[i]))
			}
			running := map[string]*server{ours: serve(b, ours)}
			for _, name := range servers() {
				switch {
				case name == null:
					running[name] = serve(b, name, running[ours].answers(b, bodies)...)
				case name != ours && (name != stock || pair[0] == "v1alpha2"):
					running[name] = serve(b, name)
					running[name].answers(b, bodies)
				}
			}
			for _, way := range []struct {
				http2   bool
				callers int
			}{{false, 1}, {false, 8}, {true, 8}} {
				for _, name := range servers() {
					if s := running[name]; s != nil {
						protocol := map[bool]int{false: 1, true: 2}[way.http2]
						b.Run(fmt.Sprintf("versions=%s/KiB=%d/http=%d/callers=%d/by=%s", versions, kib, protocol,
							way.callers, name),
							func(b *testing.B) {
								s.load(b, way.http2, way.callers, bodies)
							})
					}
				}
			}
			for _, s := range running {
				_ = s.process.Stop()
			}
		}
	}
}

// load sends reviews in turn over connections that are open.
func (s *server) load(b *testing.B, http2 bool, callers int, bodies [][]byte) {
	client := s.client(b, http2, callers)
	do := func(i int) error { return s.convert(b.Context(), client, bodies[i%len(bodies)], io.Discard) }
	warm := make(chan error)
	for i := range callers {
		go func() { warm <- do(i) }()
	}
	for range callers {
		must.Do(b, <-warm)
	}
	load(b, callers, do, s.pid)
}

// BenchmarkReview measures the processor time of a review of a thousand claims. encoding/json validates the same
// request.
func BenchmarkReview(b *testing.B) {
	body := review("v1alpha3", claimsOf(b, "v1alpha2", 1000, 2<<10)...)
	answer := serve(b, ours).answers(b, [][]byte{body})
	for _, name := range servers() {
		s := serve(b, name, answer...)
		b.Run("claims=1000/by="+name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			s.load(b, false, 1, [][]byte{body})
		})
	}
	b.Run("claims=1000/by=json.Valid", func(b *testing.B) {
		load(b, 1, func(int) error {
			if !json.Valid(body) {
				return fmt.Errorf("not JSON")
			}
			return nil
		}, self)
	})
}

// BenchmarkMemory measures the memory of an idle server, and the maximum during a review of many claims.
func BenchmarkMemory(b *testing.B) {
	claims := 3_000
	if testing.Short() {
		claims = 20
	}
	body := review("v1alpha3", claimsOf(b, "v1alpha2", claims, 2<<10)...)
	for _, name := range servers() {
		b.Run("claims=3000/by="+name, func(b *testing.B) {
			for range b.N {
				s := serve(b, name, []byte("{}")) // what the null one answers would be kept in memory
				time.Sleep(time.Second)           // what the start left is swept
				s.report(b, "VmRSS", "idle-B")
				must.Do(b, s.convert(b.Context(), s.client(b, false, 1), body, io.Discard))
				s.report(b, "VmHWM", "peak-B")
				_ = s.process.Stop()
			}
		})
	}
}

// BenchmarkStart measures the time from exec to the first response over TLS, and the size of the program.
func BenchmarkStart(b *testing.B) {
	for _, name := range servers() {
		b.Run("by="+name, func(b *testing.B) {
			var took time.Duration
			for range b.N {
				s := serve(b, name, []byte("{}"))
				took += s.started
				_ = s.process.Stop()
			}
			b.ReportMetric(float64(took)/float64(b.N), "start-ns/op")
			file := must.Get(os.Stat(program(b, name)))(b)
			b.ReportMetric(float64(file.Size()), "program-B")
		})
	}
}
