//go:build linux

package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// BenchmarkCall converts one claim per call, like an API server: half of the calls convert for a write, half for a
// read.
func BenchmarkCall(b *testing.B) {
	for _, pair := range []struct{ older, newer string }{{"v1alpha2", "v1alpha3"}, {"v1beta1", "v1"}} {
		for _, kib := range []int{2, 16} {
			olderClaims := generateClaims(b, pair.older, 8, kib<<10)
			newerClaims := generateClaims(b, pair.newer, 8, kib<<10)
			var reviews [][]byte
			for i := range olderClaims {
				reviews = append(reviews,
					conversionReview(pair.newer, olderClaims[i]), conversionReview(pair.older, newerClaims[i]))
			}
			name := fmt.Sprintf("versions=%s-%s/KiB=%d", pair.older, pair.newer, kib)
			benchmarkCall(b, name, startServers(b, pair.older, reviews), reviews)
		}
	}
}

// startServers starts the programs that convert the reviews, and returns them by name.
func startServers(b *testing.B, olderVersion string, reviews [][]byte) map[string]*server {
	b.Helper()
	servers := map[string]*server{claimbridge: startServer(b, claimbridge)}
	responses := servers[claimbridge].responsesTo(b, reviews)
	for _, program := range webhookPrograms() {
		switch {
		case program == claimbridge:
			continue
		case program == stockWebhook && olderVersion != "v1alpha2":
			continue // it has only types of v1alpha2 and v1alpha3
		}
		servers[program] = startServer(b, program, responses...)
		servers[program].responsesTo(b, reviews)
	}
	return servers
}

// benchmarkCall runs BenchmarkCall for reviews of one pair of versions and size, and stops the servers.
func benchmarkCall(b *testing.B, name string, servers map[string]*server, reviews [][]byte) {
	b.Helper()
	for _, load := range []struct {
		http    int
		callers int
	}{{1, 1}, {1, 8}, {2, 8}} {
		for _, program := range webhookPrograms() {
			s := servers[program]
			if s == nil {
				continue
			}
			b.Run(fmt.Sprintf("%s/http=%d/callers=%d/by=%s", name, load.http, load.callers, program),
				func(b *testing.B) { s.measureReviews(b, load.http == 2, load.callers, reviews) })
		}
	}
	for _, s := range servers {
		_ = s.process.Stop()
	}
}

// measureReviews sends reviews in turn. Before it measures, it opens a connection for each caller.
func (s *server) measureReviews(b *testing.B, http2 bool, callers int, reviews [][]byte) {
	client := s.client(b, http2, callers)
	convert := func(i int) error { return s.convert(b.Context(), client, reviews[i%len(reviews)], io.Discard) }
	inParallel(b, callers, convert)
	measureCalls(b, callers, convert, s.pid)
}

// BenchmarkReview measures the processor time of a review of a thousand claims. For comparison, encoding/json validates
// the same request.
func BenchmarkReview(b *testing.B) {
	review := conversionReview("v1alpha3", generateClaims(b, "v1alpha2", 1000, 2<<10)...)
	responses := startServer(b, claimbridge).responsesTo(b, [][]byte{review})
	for _, program := range webhookPrograms() {
		s := startServer(b, program, responses...)
		b.Run("claims=1000/by="+program, func(b *testing.B) {
			b.SetBytes(int64(len(review)))
			s.measureReviews(b, false, 1, [][]byte{review})
		})
	}
	b.Run("claims=1000/by=json.Valid", func(b *testing.B) {
		measureCalls(b, 1, func(int) error {
			if !json.Valid(review) {
				return errors.New("not JSON")
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
	review := conversionReview("v1alpha3", generateClaims(b, "v1alpha2", claims, 2<<10)...)
	for _, program := range webhookPrograms() {
		b.Run("claims=3000/by="+program, func(b *testing.B) {
			for range b.N {
				// The null webhook keeps its responses in memory, so it gets a small one.
				s := startServer(b, program, []byte("{}"))
				time.Sleep(time.Second) // for the garbage collection after the start
				s.reportMemory(b, "VmRSS", "idle-B")
				must.Do(b, s.convert(b.Context(), s.client(b, false, 1), review, io.Discard))
				s.reportMemory(b, "VmHWM", "peak-B")
				_ = s.process.Stop()
			}
		})
	}
}

// BenchmarkStart measures the time from exec to the first response over TLS, and the size of the program.
func BenchmarkStart(b *testing.B) {
	for _, program := range webhookPrograms() {
		b.Run("by="+program, func(b *testing.B) {
			var total time.Duration
			for range b.N {
				s := startServer(b, program, []byte("{}"))
				total += s.startDuration
				_ = s.process.Stop()
			}
			b.ReportMetric(float64(total)/float64(b.N), "start-ns/op")
			info := must.Get(os.Stat(programFile(b, program)))(b)
			b.ReportMetric(float64(info.Size()), "program-B")
		})
	}
}
